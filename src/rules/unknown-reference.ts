import type { Finding, Span } from "../diagnostic.js";
import type { Composition, Step } from "../composition/composition.js";
import { type Read, readsOf, type UnknownTarget } from "../composition/reads.js";
import type { Reference } from "../composition/references.js";
import type { Document } from "../document/document.js";
import {
  createGuesser,
  lookAlikeNote,
  type NameGuess,
  nearestName,
  uniqueNearestName,
} from "../text/names.js";
import type { PackRule } from "./rule.js";
import { clearCompositions, readText } from "./shared/composition-findings.js";
import { replaceWordFix, type WithFix } from "./shared/fixes.js";

type Correction = WithFix & Pick<Finding, "advice">;

export const unknownReference: PackRule = {
  id: "unknown-reference",
  subject: "pack",
  summary: "A reference in a composition reads its input, or the output of a step.",
  severity: "error",
  since: "1.5.0",
  section: "compositions",
  fix: "unsafe",
  source: "RFC 0010, references",
  *check(pack) {
    const guess = createGuesser();
    for (const composition of clearCompositions(pack))
      for (const read of readsOf(composition)) {
        const { target, reference } = read;
        if (target.kind !== "unknown") continue;
        yield {
          at: reference.at,
          message: `${readText(read)}, but ${reasonFor(read, target)}.`,
          ...correct(read, target, { composition, document: pack.document, guess }),
        };
      }
  },
};

function reasonFor({ reader, reference: { path = [] } }: Read, target: UnknownTarget): string {
  const [root = ""] = path;
  if (target.why === "no step") return `"${root}" is neither "input" nor a step`;
  const { step } = target;
  switch (target.why) {
    case "no output":
      return `only the "output" of a step can be read`;
    case "nested":
      return step.parent === reader.parent
        ? "the steps of one parallel cannot read each other"
        : `"${root}" is inside "${step.parent?.id.text ?? ""}", so only that can be read`;
    case "branch":
      return `"${root}" is a branch, which has no output`;
    case "not into":
      return `"${root}" puts its outputs into "${step.reduce?.into.text ?? ""}"`;
    case "not a branch":
      return `"${root}" has no branch "${path[3] ?? ""}"`;
  }
}

interface Context {
  readonly composition: Composition;
  readonly document: Document;
  readonly guess: NameGuess;
}

function correct({ reader, reference }: Read, target: UnknownTarget, context: Context): Correction {
  const { path = [] } = reference;
  if (target.why === "no step") return nearest(reference, 0, idsOf(context.composition), context);
  const { step } = target;
  switch (target.why) {
    case "branch":
      return {};
    case "not a branch":
      return nearest(
        reference,
        3,
        step.branches.map(({ id }) => id.text),
        context,
      );
    case "no output":
      return path[1] !== undefined && nearestName(path[1], ["output"]) !== undefined
        ? nearest(reference, 1, ["output"], context)
        : rewrite(reference, [step.id.text, "output", ...path.slice(1)], context);
    case "nested":
      if (step.parent === reader.parent) return {};
      return rewrite(reference, nestedPath(step, path.slice(2)), context);
    case "not into": {
      const names = step.reduce === undefined ? [] : [step.reduce.into.text];
      const near = nearest(reference, 2, names, context);
      return near.advice === undefined
        ? { advice: `Read "\${${step.id.text}.output.${names.join("")}}".` }
        : near;
    }
  }
}

function* idsOf({ steps }: Composition): Iterable<string> {
  yield "input";
  for (const { id, kind } of steps) if (kind !== "branch") yield id.text;
}

/** Where a step inside a `parallel` is found in the output of that. */
function nestedPath(step: Step, fields: readonly string[]): readonly string[] | undefined {
  const { parent } = step;
  if (parent?.reduce === undefined || parent.parent !== undefined) return undefined;
  const whole = [parent.id.text, "output", parent.reduce.into.text];
  return parent.reduce.strategy.text === "barrier" ? [...whole, step.id.text, ...fields] : whole;
}

/** Replaces one name of the path. */
function nearest(
  reference: Reference,
  position: number,
  candidates: Iterable<string>,
  { document, guess }: Context,
): Correction {
  const { path = [] } = reference;
  const name = path[position] ?? "";
  const names = [...candidates];
  const found = guess(name, names);
  if (found === undefined) return {};
  const isOnlyOne = uniqueNearestName(name, names) !== undefined;
  const start = path.slice(0, position).join(".").length + (position > 0 ? 1 : 0);
  const part = { start, end: start + name.length };
  return {
    advice: `Did you mean "${found}"?${lookAlikeNote(name, found)}`,
    ...(isOnlyOne && replaceWordFix(document, reference.source, within(reference, part), found)),
  };
}

/** Replaces the whole path. */
function rewrite(
  reference: Reference,
  path: readonly string[] | undefined,
  { document }: Context,
): Correction {
  if (path === undefined) return {};
  const text = path.join(".");
  const part = within(reference, { start: 0, end: reference.text.length });
  return {
    advice: `Did you mean "\${${text}}"?`,
    ...replaceWordFix(document, reference.source, part, text),
  };
}

/** The place of a part of the path in the string that holds it. */
function within({ source, start, text }: Reference, part: Span): Span {
  const offset = source.text.indexOf(text, start + 2);
  return { start: offset + part.start, end: offset + part.end };
}
