import type { Place } from "../diagnostic.js";
import { hasDoubledKeys, type Node, placeOf } from "../document/node.js";
import { asMapping, itemsOf, numberOf, Text } from "../document/spelled-values.js";

/** How the output of a prompt is judged (RFC 0006). */
export interface Eval {
  readonly at: Place;
  readonly id: Text | undefined;
  readonly trigger: Text | undefined;
  readonly samplePercentage: number | undefined;
  /** The bounds of its metric. */
  readonly range: MetricRange | undefined;
}

export interface MetricRange {
  readonly at: Place;
  readonly min: number | undefined;
  readonly max: number | undefined;
}

/** What is no object is left out; what has a key twice may be two evals, and no more than the id is known. */
export function readEvals(node: Node | undefined): readonly Eval[] {
  return itemsOf(node).flatMap((item) => {
    if (item.kind !== "mapping") return [];
    const id = Text.once(item.get("id"));
    if (hasDoubledKeys(item))
      return { at: placeOf(item), id, trigger: undefined, samplePercentage: undefined, range: undefined };
    return {
      at: placeOf(item),
      id,
      trigger: Text.of(item.get("trigger")),
      samplePercentage: numberOf(item.get("sample_percentage")),
      range: readRange(asMapping(item.get("metric"))?.get("range")),
    };
  });
}

function readRange(node: Node | undefined): MetricRange | undefined {
  if (node?.kind !== "mapping") return undefined;
  return { at: placeOf(node), min: numberOf(node.get("min")), max: numberOf(node.get("max")) };
}
