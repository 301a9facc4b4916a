import { describe, expect, it } from "vitest";
import { type ChosenWalk, chooseWalk } from "../../src/composition/choose-walk.js";
import type { Composition } from "../../src/composition/composition.js";
import { packOf } from "../simulate/open-text.js";

function compositionOf(steps: readonly object[], output?: string): Composition {
  const pack = packOf(JSON.stringify({ compositions: { c: { version: 1, output, steps } } }));
  const composition = pack.compositions.get("c");
  if (composition === undefined) throw new Error("there is no composition");
  return composition;
}

const prompt = (id: string, rest: object = {}) => ({ id, kind: "prompt", prompt_task: "p", ...rest });
const branch = (id: string, predicate: object, then: string, rest: object = {}) => ({
  id,
  kind: "branch",
  predicate,
  then,
  ...rest,
});
const equals = (value: string) => ({ path: "${input.kind}", op: "equals", value });

/** The ids of the steps that ran, of those that were asked, and the result or why there is none. */
function summary({ ran, asked, result, failure }: ChosenWalk): unknown {
  const idOf = ({ id }: { id: { text: string } }) => id.text;
  return [ran.map(idOf).join(" "), asked.map(idOf).join(" "), result ? idOf(result) : failure?.kind];
}

const answering = (yes: readonly string[]) => (step: { id: { text: string } }) => yes.includes(step.id.text);

describe("a walk with chosen answers", () => {
  const twice = compositionOf([
    branch("first", equals("a"), "x"),
    branch("again", equals("a"), "x"),
    branch("opposite", { not: equals("a") }, "y"),
    branch("other", equals("b"), "z"),
    prompt("x"),
    prompt("y"),
    prompt("z"),
    branch("didX", { path: "${x.output}", exists: true }, "last"),
    prompt("last"),
  ]);

  it("asks only what is not decided yet", () => {
    expect(summary(chooseWalk(twice, answering(["first"])))).toEqual([
      "first again opposite other x didX last",
      "first",
      "last",
    ]);
    expect(summary(chooseWalk(twice, answering(["other"])))).toEqual([
      "first again opposite other y z didX",
      "first other",
      "z",
    ]);
  });

  it("says what decides the others", () => {
    const { decided } = chooseWalk(twice, answering(["first"]));
    const kinds = [...decided].map(([step, { kind, isYes }]) => [step.id.text, kind, isYes]);
    expect(kinds).toEqual([
      ["again", "same-question", true],
      ["opposite", "same-question", false],
      ["other", "other-value", false],
      ["didX", "ran", true],
    ]);
  });

  it("does not ask a branch with a constant predicate", () => {
    const never = compositionOf([
      branch("never", { path: "${input.a}", op: "in", value: [] }, "x"),
      prompt("x"),
      prompt("y"),
    ]);
    expect(summary(chooseWalk(never, () => true))).toEqual(["never y", "", "y"]);
  });

  it("fails where a step reads a skipped one, and asks nothing after it", () => {
    const reading = compositionOf([
      branch("first", equals("a"), "x", { else: "y" }),
      prompt("x"),
      prompt("y", { input: { a: ["${input.b}", "${x.output}"] } }),
      branch("second", equals("c"), "z"),
      prompt("z"),
    ]);
    // The second question is about another value of the same path.
    expect(summary(chooseWalk(reading, () => true))).toEqual(["first x second", "first", "x"]);
    expect(summary(chooseWalk(reading, () => false))).toEqual(["first", "first", "read"]);
  });

  it("has no result if output names a skipped step, a branch, a nested step or none", () => {
    const steps = [
      branch("first", equals("a"), "x"),
      prompt("x"),
      {
        id: "both",
        kind: "parallel",
        branches: [prompt("l"), prompt("r")],
        reduce: { strategy: "append", into: "all" },
      },
    ];
    const ends = ["x", "first", "l", "nobody", "both", undefined].map((output) => {
      const { result, failure } = chooseWalk(compositionOf(steps, output), () => false);
      return result?.id.text ?? failure;
    });
    const failed = (name: string, isSkipped: boolean) => ({ kind: "output", name, isSkipped });
    expect(ends).toEqual([
      failed("x", true),
      failed("first", false),
      failed("l", false),
      failed("nobody", false),
      "both",
      "both",
    ]);
    const nothing = compositionOf([branch("first", equals("a"), "x"), prompt("x")]);
    expect(chooseWalk(nothing, () => false).failure).toEqual({ kind: "no-output" });
  });
});
