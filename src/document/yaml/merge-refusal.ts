import type { ScalarNode, SequenceNode, Span } from "../node.js";
import { faultAt, Refusal } from "../refusal.js";
import { shown } from "../shown.js";
import type { Anchors } from "./anchors.js";

type Source = ScalarNode | SequenceNode;

const claim = 'The merge key "<<" takes a mapping or a list of mappings, found';

/** Said of a merge key for which something else stands in the place of a mapping. */
export function mergeRefusal(anchors: Anchors, { start, end }: Span, source: Source): Refusal {
  const { origin } = source;
  const anchor = origin && anchors.of(origin);
  if (origin === undefined || anchor === undefined)
    return Refusal.ofSoundText({ start, end }, `${claim} ${whatIs(source)}; ${adviceFor(source, anchors)}.`);
  const advice =
    origin.start < origin.end ? asKey : `indent what belongs to ${shown(`&${anchor.name}`)} below it`;
  const message = `${claim} ${shown(`*${anchor.name}`)}, which is ${whatIs(source)}; ${advice}.`;
  const place = { pointer: "", start: anchor.start, end: anchor.end };
  return Refusal.ofSoundFault({
    ...faultAt(start, end, message),
    related: [{ at: place, message: "the anchor is here" }],
  });
}

const asKey = 'in quotes "<<" is a key like any other';

function adviceFor(source: Source, anchors: Anchors): string {
  const name = source.kind === "scalar" ? String(source.value).replace(/^[*&]/, "") : "";
  return anchors.holds(name) ? `write ${shown(`*${name}`)} without quotes` : asKey;
}

function whatIs(source: Source): string {
  if (source.kind === "sequence") return "a list";
  if (source.value === null) return "nothing (null)";
  return typeof source.value === "string" ? shown(source.value) : String(source.value);
}
