import type { ScalarNode, SequenceNode, Span } from "../node.js";
import { faultAt, ParseError } from "../refusal.js";
import { quoteSource } from "../shown.js";
import type { Anchors } from "./anchors.js";

type InvalidMergeSource = ScalarNode | SequenceNode;

const mergeKeyMessage = 'The merge key "<<" takes a mapping or a list of mappings, found';

/** Said of a merge key for which something else stands in the place of a mapping. */
export function invalidMergeError(anchors: Anchors, { start, end }: Span, source: InvalidMergeSource): ParseError {
  const { origin } = source;
  const anchor = origin && anchors.anchorOf(origin);
  if (origin === undefined || anchor === undefined)
    return ParseError.rejectionAt({ start, end }, `${mergeKeyMessage} ${describeSource(source)}; ${mergeAdvice(source, anchors)}.`);
  const advice =
    origin.start < origin.end ? quoteKeyAdvice : `indent what belongs to ${quoteSource(`&${anchor.name}`)} below it`;
  const message = `${mergeKeyMessage} ${quoteSource(`*${anchor.name}`)}, which is ${describeSource(source)}; ${advice}.`;
  const place = { pointer: "", start: anchor.start, end: anchor.end };
  return ParseError.rejection({
    ...faultAt(start, end, message),
    related: [{ at: place, message: "the anchor is here" }],
  });
}

const quoteKeyAdvice = 'in quotes "<<" is a key like any other';

function mergeAdvice(source: InvalidMergeSource, anchors: Anchors): string {
  const name = source.kind === "scalar" ? String(source.value).replace(/^[*&]/, "") : "";
  return anchors.isCollection(name) ? `write ${quoteSource(`*${name}`)} without quotes` : quoteKeyAdvice;
}

function describeSource(source: InvalidMergeSource): string {
  if (source.kind === "sequence") return "a list";
  if (source.value === null) return "nothing (null)";
  return typeof source.value === "string" ? quoteSource(source.value) : String(source.value);
}
