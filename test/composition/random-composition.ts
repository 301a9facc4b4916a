import fc from "fast-check";
import type { Composition } from "../../src/composition/composition.js";
import { readDocument } from "../../src/document/read.js";
import { type Pack, readPack } from "../../src/pack/pack.js";
import { resolveSpec } from "../../src/schema/spec-version.js";

/** A predicate as it is in a file. */
export type PlainPredicate =
  | { readonly path: string; readonly op: string; readonly value: unknown }
  | { readonly path: string; readonly exists: boolean }
  | { readonly not: PlainPredicate }
  | { readonly all_of: readonly PlainPredicate[] }
  | { readonly any_of: readonly PlainPredicate[] };

export interface PlainStep {
  readonly id: string;
  readonly kind: "prompt" | "tool" | "branch" | "parallel";
  readonly depends_on?: readonly string[];
  readonly input?: unknown;
  readonly args?: unknown;
  readonly predicate?: PlainPredicate;
  readonly then?: string;
  readonly else?: string;
  readonly branches?: readonly PlainStep[];
}

export interface PlainComposition {
  readonly steps: readonly PlainStep[];
  readonly output?: string;
}

/** Predicates with one answer, and that answer: known from how they are built. */
export const constantAnswers = new WeakMap<PlainPredicate, boolean>();

const a = "${input.a}";
const b = "${input.b}";

const openPredicates: readonly (() => PlainPredicate)[] = [
  () => ({ path: a, op: "equals", value: 1 }),
  () => ({ path: a, op: "equals", value: "x" }),
  () => ({ path: a, op: "equals", value: { p: 1, q: [2] } }),
  () => ({ path: a, op: "equals", value: { q: [2], p: 1 } }),
  () => ({ path: a, op: "not_equals", value: 1 }),
  () => ({ path: b, op: "in", value: [1, 2] }),
  () => ({ path: b, op: "not_in", value: [1, 2] }),
  () => ({ path: "${ input.a }", op: "equals", value: 1 }),
  () => ({ path: b, exists: true }),
  () => ({ path: b, exists: false }),
  () => ({
    all_of: [
      { path: a, op: "equals", value: 1 },
      { path: b, exists: true },
    ],
  }),
  () => ({
    all_of: [{ not: { path: a, op: "not_equals", value: 1 } }, { not: { path: b, exists: false } }],
  }),
];

const constantPredicates: readonly (() => readonly [PlainPredicate, boolean])[] = [
  () => [{ path: a, op: "in", value: [] }, false],
  () => [{ path: b, op: "not_in", value: [] }, true],
  () => [{ any_of: [] }, false],
  () => [{ all_of: [] }, true],
  () => [{ all_of: [equalTo(1), equalTo(2)] }, false],
  () => [{ any_of: [equalTo(1), { not: equalTo(1) }] }, true],
  () => [{ all_of: [{ path: b, exists: true }, equalTo(1), equalTo("x")] }, false],
  () => [{ all_of: [atMost("less_than", 3), atMost("greater_than_or_equals", 3)] }, false],
];

function equalTo(value: unknown): PlainPredicate {
  return { path: a, op: "equals", value };
}

function atMost(op: string, value: number): PlainPredicate {
  return { path: b, op, value };
}

/** Draws numbers below a limit. */
type Draw = (limit: number) => number;

interface Sizes {
  readonly steps: readonly [number, number];
  readonly branches: readonly [number, number];
}

/** Random compositions of up to eight steps, or of many branches; all names in them are right. */
export function compositions(sizes: Sizes): fc.Arbitrary<PlainComposition> {
  return fc.infiniteStream(fc.nat()).map((numbers) => {
    const draw: Draw = (limit) => numbers.next().value % limit;
    return drawComposition(sizes, draw);
  });
}

function drawComposition({ steps: [least, most], branches }: Sizes, draw: Draw): PlainComposition {
  const count = least + draw(most - least + 1);
  const wanted = Math.min(count - 1, branches[0] + draw(branches[1] - branches[0] + 1));
  const ids = Array.from({ length: count }, (_, index) => `s${index}`);
  // The last step is never a branch, which needs a later one.
  const isBranch = ids.map(() => false);
  for (let left = wanted; left > 0; left--) {
    let at = draw(count - 1);
    while (isBranch[at] === true) at = (at + 1) % (count - 1);
    isBranch[at] = true;
  }
  const steps = ids.map((_, index) => drawStep(index, { ids, isBranch, draw }));
  const results = ids.filter((_, index) => isBranch[index] !== true);
  const output = draw(3) === 0 ? results[draw(results.length)] : undefined;
  return { steps, ...(output !== undefined && { output }) };
}

interface Drawing {
  readonly ids: readonly string[];
  readonly isBranch: readonly boolean[];
  readonly draw: Draw;
}

function drawStep(index: number, drawing: Drawing): PlainStep {
  const { ids, isBranch, draw } = drawing;
  const id = ids[index] ?? "";
  const earlier = ids.slice(0, index);
  const pick = (from: readonly string[]): string => from[draw(from.length)] ?? "";
  const dependsOn =
    index > 0 && draw(3) === 0
      ? { depends_on: [...new Set(Array.from({ length: 1 + draw(3) }, () => pick(earlier)))] }
      : {};
  if (isBranch[index] === true) {
    const later = ids.slice(index + 1, index + 5);
    const otherwise = draw(3) > 0 ? { else: pick(later) } : {};
    return {
      id,
      kind: "branch",
      ...dependsOn,
      predicate: drawPredicate(index, drawing),
      then: pick(later),
      ...otherwise,
    };
  }
  const reads = (): string => drawReads(index, drawing);
  if (draw(5) === 0) {
    const branches: PlainStep[] = [1, 2].map((each) => ({
      id: `${id}_${each}`,
      kind: "prompt",
      input: reads(),
    }));
    return { id, kind: "parallel", ...dependsOn, branches };
  }
  return draw(3) === 0
    ? { id, kind: "tool", ...dependsOn, args: { text: [reads()] } }
    : { id, kind: "prompt", ...dependsOn, input: reads() };
}

function drawReads(index: number, { ids, isBranch, draw }: Drawing): string {
  const readable = ids.slice(0, index).filter((_, at) => isBranch[at] !== true);
  const count = readable.length === 0 ? 0 : draw(3);
  const reads = Array.from({ length: count }, () => `\${${readable[draw(readable.length)]}.output}`);
  return ["${input.text}", ...reads].join(" and ");
}

function drawPredicate(index: number, drawing: Drawing): PlainPredicate {
  const { ids, isBranch, draw } = drawing;
  const readable = ids.slice(0, index).filter((_, at) => isBranch[at] !== true);
  const kind = draw(10);
  if (kind === 0) {
    const [predicate, answer] = constantPredicates[draw(constantPredicates.length)]?.() ?? [equalTo(1), true];
    constantAnswers.set(predicate, answer);
    return predicate;
  }
  if (kind < 4 && readable.length > 0) {
    const step = readable[draw(readable.length)];
    const predicate: PlainPredicate =
      kind === 1
        ? { path: `\${${step}.output.n}`, op: "less_than", value: 1 + draw(2) }
        : { path: `\${${step}.output}`, exists: draw(2) === 0 };
    return draw(3) === 0 ? { not: predicate } : predicate;
  }
  const predicate = openPredicates[draw(openPredicates.length)]?.() ?? equalTo(1);
  return draw(3) === 0 ? { not: predicate } : predicate;
}

/** The pack that holds the composition, as it would be read from a file. */
export function packOf({ steps, output }: PlainComposition): Pack {
  const written = steps.map(writeStep);
  const compositions = { main: { version: 1, ...(output && { output }), steps: written } };
  return readPackText(JSON.stringify({ compositions }));
}

function readPackText(text: string): Pack {
  const document = readDocument(text, "json");
  if (document.root?.kind !== "mapping") throw new Error("The pack could not be read.");
  return readPack(document, document.root, resolveSpec(document.root));
}

function writeStep(step: PlainStep): unknown {
  if (step.kind === "prompt") return { ...step, prompt_task: "p" };
  if (step.kind === "tool") return { ...step, tool: "t" };
  if (step.kind === "branch") return step;
  return { ...step, branches: step.branches?.map(writeStep), reduce: { strategy: "barrier", into: "n" } };
}

export function mainOf(pack: Pack): Composition {
  const composition = pack.compositions.get("main");
  if (composition?.isClear !== true) throw new Error("The composition breaks the schema.");
  return composition;
}
