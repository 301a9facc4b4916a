import { existsSync, readFileSync } from "node:fs";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { Analysis } from "../../src/analysis.js";
import { toValue } from "../../src/document/node.js";
import { isWithin } from "../../src/document/pointers.js";
import { readDocument } from "../../src/document/read.js";
import { ungroupDiagnostics } from "../../src/lint/collect-diagnostics.js";
import type { Project } from "../../src/sources/project.js";
import type { SourceFile } from "../../src/sources/source-file.js";
import { expectFile } from "../expected-file.js";
import { isFull } from "../runs.js";
import { filesOf, type Json, placeOf, type Slip, slipsIn, withSlip } from "./damage.js";
import { compiled, findingsOf, misplaced, openProject } from "./memory-project.js";

const projects = { bakery: "desk/config.arena.yaml", library: "desk/library.arena.json" };

/** The values that the pack has as they are, but for those that only the head or a whole prompt or tool has. */
const shared =
  /^\/spec\/(?:workflow|agents|compositions|pack_evals|skills|template_engine|system_template|variables|allowed_tools|tool_policy|media|parameters|validators|evals|description|version|input_schema)(?:\/|$)/u;

/** A part itself, which the pack has under another name or in another place if its key is wrong. */
const part = /^\/spec\/\w+$/u;

/** What the compiler adds, moves or drops. */
const changed =
  /^\/spec\/(?:variables\/\d+\/(?:binding.*|type)|validators\/\d+\/(?:message|params)|skills\/\d+(?:\/dir)?|template_engine)$/u;

interface Case {
  readonly name: string;
  readonly whole: Project;
  readonly file: SourceFile;
  readonly slip: Slip;
  readonly damaged: Project;
}

function* casesIn(name: keyof typeof projects): Iterable<Case> {
  const head = projects[name];
  const files = filesOf(`fixtures/projects/${name}`);
  const whole = openProject(files, head);
  let index = 0;
  for (const file of whole.files) {
    const { root } = file.document;
    if (file.kind === "Scenario" || file.kind === "text" || root === undefined) continue;
    const value = JSON.parse(JSON.stringify(toValue(root))) as Json;
    for (const slip of slipsIn(root)) {
      // Without that, it is no head.
      if (file === whole.head && slip.pointer === "/kind") continue;
      if (!isFull && process.env["UPDATE"] !== "1" && index++ % 20 !== 0) continue;
      yield {
        name,
        whole,
        file,
        slip,
        damaged: openProject({ ...files, [file.path]: withSlip(value, slip) }, head),
      };
    }
  }
}

const isShared = ({ file, slip: { how, pointer }, whole }: Case): boolean =>
  shared.test(pointer) &&
  !changed.test(pointer) &&
  !(part.test(pointer) && /key|removed/u.test(how) && how !== "unknown key") &&
  whole.packPointerOf(file, pointer) !== undefined;

/** As the pack would have it; scenarios are no part of it. */
function inPack({ name, damaged }: Case): readonly string[] {
  const byName = new Map(damaged.files.map((file) => [file.name, file]));
  return ungroupDiagnostics(findingsOf(damaged).kept)
    .filter(({ rule }) => !rule.startsWith("scenario-"))
    .map(({ rule, pointer }) => {
      const [file = "", own = ""] = pointer.startsWith("/") ? [] : pointer.split("#");
      const source = byName.get(file);
      return `${rule} ${source === undefined ? pointer : (damaged.packPointerOf(source, own) ?? `${name} ${pointer}`)}`;
    })
    .sort();
}

/** The compiler writes `enabled` where the sources leave it out. */
function ofPack({ whole, file, slip }: Case): readonly string[] {
  const pack = JSON.parse(compiled(whole)) as Json;
  const pointer = whole.packPointerOf(file, slip.pointer) ?? "";
  const document = readDocument(withSlip(pack, { ...slip, pointer }), "json");
  const found = new Analysis("desk.pack.json", document).lint({}).kept;
  return ungroupDiagnostics(found)
    .filter(({ rule }) => rule !== "guardrail-off")
    .map((each) => `${each.rule} ${each.pointer}`)
    .sort();
}

/** Which of two is reported depends on their order. */
const ordered = (found: readonly string[]) =>
  found.map((each) => each.replace(/^artifact-conflict .*/u, "artifact-conflict"));

describe.each(Object.keys(projects) as (keyof typeof projects)[])("%s with one slip", (name) => {
  it("has the findings that the pack has with it, where the slip is", () => {
    const failures: string[] = [];
    let count = 0;
    for (const each of casesIn(name)) {
      const { whole, file, slip, damaged } = each;
      const title = `${slip.how} ${file.name} ${slip.pointer}`;
      failures.push(...misplaced(damaged).map((problem) => `${title}: ${problem}`));
      if (!isShared(each)) continue;
      count++;
      const [own, pack] = [ordered(inPack(each)), ordered(ofPack(each))];
      if (own.join() !== pack.join())
        failures.push(`${title}: ${own.join(", ")} but in the pack ${pack.join(", ")}`);
      const place = placeOf(slip, whole.packPointerOf(file, slip.pointer) ?? "");
      for (const { file: found, kept } of findingsOf(damaged).files)
        for (const { packPointer, pointer, rule } of kept)
          if (
            packPointer !== undefined &&
            isWithin(packPointer, place) &&
            !(found.path === file.path && isWithin(pointer, placeOf(slip, slip.pointer)))
          )
            failures.push(`${title}: ${rule} is in ${found.name} ${pointer}`);
    }
    expect(failures).toEqual([]);
    expect(count).toBeGreaterThan(isFull ? 200 : 10);
  });

  it("has the expected findings where only the sources have such a slip", () => {
    const lines = [...casesIn(name)]
      .filter((each) => !isShared(each))
      .map(({ file, slip, damaged, whole }) => {
        // What the project has without the slip says nothing of it.
        const before = new Set(
          findingsOf(whole).files.flatMap(({ file: at, kept }) =>
            ungroupDiagnostics(kept).map(({ rule, pointer }) => `${rule} ${at.name}${pointer}`),
          ),
        );
        const found = findingsOf(damaged).files.flatMap(({ file: at, kept }) =>
          ungroupDiagnostics(kept)
            .filter(({ rule }) => !rule.startsWith("scenario-"))
            .filter(({ rule, pointer }) => !before.has(`${rule} ${at.name}${pointer}`))
            .map(
              ({ rule, pointer }) => `${rule} ${at.path === file.path ? "" : at.name}${pointer || "(all)"}`,
            ),
        );
        const what = `${file.name}: ${slip.how} ${slip.pointer || "(all)"}`;
        return `${what} -> ${[...new Set(found)].join(", ") || "nothing"}`;
      });
    const path = `fixtures/projects/${name}.slips.out`;
    if (isFull || process.env["UPDATE"] === "1") expectFile(path, `${lines.join("\n")}\n`);
    else {
      const expected = new Set(existsSync(path) ? readFileSync(path, "utf8").split("\n") : []);
      expect(lines.filter((line) => !expected.has(line))).toEqual([]);
    }
  });
});
