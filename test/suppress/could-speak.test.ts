import { describe, expect, it } from "vitest";
import { lintDocument } from "../../src/diagnose/lint-document.js";
import { defaultLimits } from "../../src/document/document.js";
import { readDocument } from "../../src/document/read.js";
import { rules } from "../../src/rules/index.js";
import { whoCouldSpeak } from "../../src/suppress/could-speak.js";
import { defects, packWith, type Edits } from "./defects.js";

interface Heard {
  readonly spoke: ReadonlySet<string>;
  readonly couldSpeak: (rule: string) => boolean;
}

function hear(...edits: readonly Edits[]): Heard {
  // Lists that two edits lengthen may have got a hole between them.
  const text = JSON.stringify(packWith(...edits), (_, value: unknown) =>
    Array.isArray(value) ? value.filter((item) => item !== undefined) : value,
  );
  const document = readDocument(text, "json", defaultLimits);
  const { diagnostics, lacking } = lintDocument(document, { fileExists: (name) => name.includes("here") });
  const spoke = new Set(diagnostics.map(({ rule }) => rule));
  return { spoke, couldSpeak: whoCouldSpeak(document, diagnostics, new Map(), lacking) };
}

/** A budget that is gone is neither too small nor what holds a loop; a skill at a path may grant the tool. */
const undone = new Set([
  "budget-coherence unbounded-loop",
  "budget-coherence loop-without-budget",
  "loop-held-by-budget-only loop-without-budget",
  "unused-tool skill-path",
]);

/** Whether both mistakes are made in one place, so that only one of them is left. */
function meet(first: Edits, second: Edits): boolean {
  const isWithin = (a: string, b: string) => `${a}/`.startsWith(`${b}/`);
  return Object.keys(first).some((a) => Object.keys(second).some((b) => isWithin(a, b) || isWithin(b, a)));
}

describe("what keeps a rule from speaking", () => {
  it("has a mistake to try for every rule about packs", () => {
    expect(hear().spoke).toEqual(new Set());
    const asked = rules.filter(({ subject }) => subject === "pack" || subject === "workflow");
    const missing = asked.map(({ id }) => id).filter((id) => defects[id] === undefined);
    expect(missing, "test/suppress/defects.ts needs a line for each (CONTRIBUTING.md, step 5)").toEqual([]);
  });

  it.each(Object.entries(defects))("is known of %s, whatever else is wrong", (rule, defect) => {
    expect(hear(defect).spoke).toContain(rule);
    const unexplained = Object.entries(defects).filter(([other, second]) => {
      if (undone.has(`${rule} ${other}`) || meet(defect, second)) return false;
      const { spoke, couldSpeak } = hear(defect, second);
      return spoke.has(other) && !spoke.has(rule) && couldSpeak(rule);
    });
    expect(unexplained.map(([other]) => other)).toEqual([]);
  });

  it("is nothing that has nothing to do with it", () => {
    const stale = (rule: string, other: string) => hear(defects[other] ?? {}).couldSpeak(rule);
    expect(stale("prompt-id-differs", "unknown-tool")).toBe(true);
    expect(stale("ambiguous-terminal", "eval-metric")).toBe(true);
    expect(stale("unused-tool", "undeclared-variable")).toBe(true);
    expect(stale("unused-tool", "unknown-agent-member")).toBe(false);
  });

  it.each(["parse-error", "duplicate-key", "schema", "not-a-pack", "route-schema"])(
    "is %s for all of them",
    (rule) => {
      const document = readDocument("{}", "json", defaultLimits);
      const place = { line: 1, column: 1 };
      const range = { start: place, end: place };
      const finding = { rule, severity: "error", message: "", pointer: "", range } as const;
      const couldSpeak = whoCouldSpeak(document, [finding], new Map(), new Set());
      expect(rules.filter(({ id }) => couldSpeak(id))).toEqual([]);
    },
  );

  it("is named by ids of rules", () => {
    const ids = new Set(rules.map(({ id }) => id));
    for (const { heldBackBy = [] } of rules) for (const id of heldBackBy) expect(ids).toContain(id);
  });
});
