import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { expectFile } from "../expected-file.js";
import { differenceText } from "./compare-texts.js";

const folder = "fixtures/diff";
const cases = readdirSync(folder).flatMap((rule) =>
  readdirSync(join(folder, rule)).map((name) => ({ rule, name, path: join(folder, rule, name) })),
);

it.each(cases)("reports exactly what differs in $rule/$name, in both directions", ({ rule, path }) => {
  const [before, after] = ["old", "new"].map((side) => {
    const [file = ""] = readdirSync(path).filter((each) => each.startsWith(`${side}.`));
    return readFileSync(join(path, file), "utf8");
  }) as [string, string];
  const forth = differenceText(before, after);
  const back = differenceText(after, before);
  if (rule === "no-change") expect(forth + back).not.toMatch(/ (?:breaking|behaviour|compatible) /);
  else expect(forth + back).toContain(` ${rule}`);
  expectFile(join(path, "expected.txt"), `old to new\n${forth}\nnew to old\n${back}`);
});
