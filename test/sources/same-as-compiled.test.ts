import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Analysis } from "../../src/analysis.js";
import type { Diagnostic } from "../../src/diagnostic.js";
import { readDocument } from "../../src/document/read.js";
import { ungroupDiagnostics } from "../../src/lint/collect-diagnostics.js";
import { rules } from "../../src/rules/index.js";
import { runs } from "../runs.js";
import { compiled, findingsOf, misplaced, openProject } from "./memory-project.js";
import { type RandomProject, randomProject } from "./random-project.js";

/** Rules about the sources themselves, and about how they are written. */
const ofSources = /^(?:source-|scenario-)|^duplicate-key$/u;

/** Rules that compare with the first of several places, or report several at the first. */
const comparing: ReadonlySet<string> = new Set([
  ...["artifact-conflict", "metric-conflict", "artifact-not-in-state"],
  ...rules.filter(({ subject }) => subject === "graph").map(({ id }) => id),
]);

/** A key that the compiler drops. */
function isDropped({ rule, pointer, data }: Diagnostic): boolean {
  if (rule !== "schema" || data?.["keyword"] !== "additionalProperties") return false;
  return /^\/(?:workflow|agents|compositions)\//u.test(pointer);
}

/** The findings by rule and places in the pack: which place comes first depends on the order of the sources. */
function places(
  found: readonly Diagnostic[],
  isInOrder: boolean,
  pointersOf: (found: Diagnostic) => readonly string[],
): readonly string[] {
  const all = ungroupDiagnostics(found)
    .filter((each) => !ofSources.test(each.rule) && !isDropped(each))
    .map((each) =>
      !isInOrder && comparing.has(each.rule)
        ? each.rule
        : `${each.rule} ${[...new Set(pointersOf(each))].sort().join(" ")}`,
    );
  return [...new Set(all)].sort();
}

function ofProject({ files, isInOrder }: RandomProject): readonly string[] {
  const project = openProject(files);
  const byName = new Map(project.files.map((file) => [file.name, file]));
  return places(findingsOf(project).kept, isInOrder, ({ pointer, related = [], file: own = "" }) => [
    pointer,
    ...related.map(({ file: name = own, pointer: there }) => {
      const file = byName.get(name);
      return (file && project.packPointerOf(file, there)) ?? `${name}#${there}`;
    }),
  ]);
}

function ofPack({ files, isInOrder }: RandomProject): readonly string[] {
  const document = readDocument(compiled(openProject(files)), "json");
  const found = new Analysis("desk.pack.json", document).lint({}).kept;
  return places(found, isInOrder, ({ pointer, related = [] }) => [
    pointer,
    ...related.map((each) => each.pointer),
  ]);
}

describe("a project of sources", () => {
  it("has the findings of the pack that it compiles to", () => {
    fc.assert(
      fc.property(randomProject, (drawn) => {
        expect(ofProject(drawn)).toEqual(ofPack(drawn));
      }),
      { numRuns: runs(2000, 60) },
    );
  });

  it("has each finding in the file, and at the value, that it is about", () => {
    fc.assert(
      fc.property(randomProject, ({ files }) => {
        expect(misplaced(openProject(files))).toEqual([]);
      }),
      { numRuns: runs(2000, 60) },
    );
  });
});
