import type { Place } from "../diagnostic.js";
import { type Node, placeOf } from "../document/node.js";
import { asMapping, itemsOf, numberOf, LocatedString } from "../document/spelled-values.js";
import type { Unclear } from "../schema/unclear.js";

/** How the output of a prompt is judged (RFC 0006). */
export interface Eval {
  readonly at: Place;
  readonly id: LocatedString | undefined;
  readonly trigger: LocatedString | undefined;
  readonly samplePercentage: number | undefined;
  /** The bounds of its metric. */
  readonly range: MetricRange | undefined;
}

export interface MetricRange {
  readonly at: Place;
  readonly min: number | undefined;
  readonly max: number | undefined;
}

export function readEvals(node: Node | undefined, unclear: Unclear): readonly Eval[] {
  return itemsOf(node).flatMap((item) => {
    if (item.kind !== "mapping" || unclear.has(item)) return [];
    return {
      at: placeOf(item),
      id: LocatedString.of(item.get("id")),
      trigger: LocatedString.of(item.get("trigger")),
      samplePercentage: numberOf(item.get("sample_percentage")),
      range: readRange(asMapping(item.get("metric"))?.get("range")),
    };
  });
}

function readRange(node: Node | undefined): MetricRange | undefined {
  if (node?.kind !== "mapping") return undefined;
  return { at: placeOf(node), min: numberOf(node.get("min")), max: numberOf(node.get("max")) };
}
