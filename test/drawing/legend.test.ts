import { describe, expect, test } from "vitest";
import { draw } from "../../src/drawing/draw.js";
import { drawText, expected, legendOf, packOf, subjectOf } from "./drawn.js";

const end = { terminal: true };
const always = ["the entry", "ends the run"];

/** The legends of the page and of the standalone drawing, which are one. */
async function legend(pack: string, findings = false): Promise<readonly string[]> {
  const subject = { ...subjectOf(pack), ...(findings ? {} : { diagnostics: undefined }) };
  const [page, picture] = [await draw("html", subject), await draw("svg", subject)].map(({ text }) => text);
  expect(legendOf(page ?? "")).toEqual(legendOf(picture ?? ""));
  return legendOf(page ?? "");
}

describe("the legend names what is drawn, and nothing else", () => {
  test("in a workflow without any particular sign", async () => {
    expect(await legend(packOf({ a: { on_event: { Go: "end" } }, end }))).toEqual(always);
  });

  test.each([
    ["a guard", { max_visits: 2 }, ["the most visits, and what follows"]],
    [
      "a forced exit",
      { max_visits: 2, on_max_visits: "end" },
      ["forced exit, at max_visits", "the most visits, and what follows"],
    ],
    ["external", { orchestration: "external" }, ["a person or another system sends the event"]],
    ["hybrid", { orchestration: "hybrid" }, ["the runtime or someone else sends the event"]],
    [
      "a composition",
      { orchestration: "composition", composition: "c" },
      ["steps that run instead of a prompt"],
    ],
    ["an artifact", { artifacts: { report: { type: "text/plain" } } }, ["artifacts it may write"]],
    ["a name of no state", { on_event: { Go: "end", Lost: "nowhere" } }, ["not a state"]],
  ])("with %s", async (_, own, words) => {
    const pack = packOf({ a: { on_event: { Go: "end" }, ...own }, end });
    expect(await legend(pack)).toEqual([...always, ...words]);
  });

  test("with an agent, and an entry that is missing", async () => {
    const agents = { entry: "p", members: { p: { state: "a" } } };
    const pack = packOf({ a: { on_event: { Go: "end" } }, end }, { agents });
    expect(await legend(pack)).toEqual(["the entry", "an agent starts here", "ends the run"]);
    expect(await legend(pack.replace('"entry":"a",', ""))).toEqual(["an agent starts here", "ends the run"]);
  });

  test("with findings and colours", async () => {
    expect(await legend(packOf({ a: { on_event: { Again: "a", Go: "end" } }, end }), true)).toEqual([
      ...always,
      "how many findings it has",
      "may never end",
    ]);
  });
});

test("the number on a state is that of its label and of its list", async () => {
  const many = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`Lost${index}`, "nowhere"]));
  for (const pack of [
    expected("small.pack.yaml"),
    packOf({ a: { on_event: { ...many, Go: "end" } }, end }),
  ]) {
    const { text } = await drawText("html", pack);
    const { states } = JSON.parse(/id="data">(.*?)<\/script>/s.exec(text)?.[1] ?? "") as {
      states: { id: string; findings: unknown[] }[];
    };
    for (const { id, findings } of states) {
      const node = new RegExp(`<g class="node[^"]*" data-id="${id}".*`).exec(text)?.[0] ?? "";
      const words = findings.length === 1 ? "1 finding" : `${findings.length} findings`;
      const [, title, number] = /<g class="badge[^>]*><title>(.*?)<.*?<text[^>]*>(.*?)</.exec(node) ?? [];
      const label = /aria-label="[^"]*?(\d+ findings?)"/.exec(node)?.[1];
      const none = findings.length === 0;
      expect([title, number, label]).toEqual(
        none ? [undefined, undefined, undefined] : [words, String(findings.length), words],
      );
    }
  }
});
