import { expect, test } from "vitest";
import { allMarks } from "../../src/drawing/picture.js";
import { customProperties, standaloneStyle } from "../../src/drawing/svg.js";

const [light = "", dark = ""] = standaloneStyle(allMarks).split("@media (prefers-color-scheme:dark)");
const themes = { light, dark };
/** Those of findings. */
const marks = allMarks.slice(0, allMarks.indexOf("gone"));

function colorOf(style: string, selector: string, property: string): string {
  const rules = [...style.matchAll(/([^{}]+)\{([^{}]+)\}/g)].filter(([, names = ""]) =>
    names.split(",").includes(selector),
  );
  const values = rules.flatMap(
    ([, , body = ""]) => new RegExp(`(?:^|;)${property}:(#\\w+)`).exec(body)?.[1] ?? [],
  );
  return values.at(-1) ?? "";
}

/** By the Web Content Accessibility Guidelines: 1 for the same colour, 21 for black on white. */
function contrast(a: string, b: string): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test.each(Object.entries(themes))("the events of a painted edge can be read, %s", (_, style) => {
  const ground = colorOf(style, ".ground", "fill");
  const painted = marks.filter((mark) => mark !== "unreachable"); // No edge is painted so.
  const faint = painted.filter(
    (mark) => !(contrast(colorOf(style, `.edge.${mark} text`, "fill"), ground) > 4.5),
  );
  expect(faint).toEqual([]);
});

test.each(Object.entries(themes))("both frames of an end have one colour, %s", (_, style) => {
  const frames = (part: string): readonly string[] =>
    marks.map((mark) => colorOf(style, `.${mark} ${part}`, "stroke"));
  expect(frames(".inner")).toEqual(frames(".box"));
  expect(frames(".box")).not.toContain("");
});

test.each(["light", "dark"] as const)("the events of a page's edges can be read, %s", (theme) => {
  const colors = new Map(
    customProperties(theme)
      .split(";")
      .map((pair) => pair.slice(2).split(":", 2) as [string, string]),
  );
  const ground = colors.get("bg") ?? "";
  const painted = allMarks.filter((mark) => mark !== "unreachable");
  expect(painted.filter((mark) => !(contrast(colors.get(mark) ?? "", ground) > 4.5))).toEqual([]);
});
