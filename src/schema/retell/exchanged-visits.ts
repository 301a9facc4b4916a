import { stringOf } from "../../document/spelled-values.js";
import { stateNamesAround } from "../../meant/among-artifacts.js";
import { nounOf } from "../thing.js";
import type { SchemaError } from "../validator.js";
import type { Mistake, Scene } from "./retold.js";

const said = {
  message: '"max_visits" and "on_max_visits" are exchanged.',
  advice: 'The number belongs to "max_visits", and the state to "on_max_visits".',
};

/** `max_visits: done` and `on_max_visits: 3`: that is one fault. */
export function* exchangedVisits(errors: readonly SchemaError[], { nodeAt }: Scene): Iterable<Mistake> {
  const byPath = new Map(errors.map((error) => [error.instancePath, error]));
  for (const [path, told] of byPath) {
    if (!path.endsWith("/max_visits")) continue;
    const other = byPath.get(path.replace(/max_visits$/, "on_max_visits"));
    const node = nodeAt(path);
    const state = node?.parent;
    if (other === undefined || state?.kind !== "mapping" || nounOf(state) !== "state") continue;
    const most = state.get("on_max_visits");
    const isNumber = most?.kind === "scalar" && Number.isInteger(most.value) && Number(most.value) > 0;
    const target = stringOf(node);
    if (isNumber && target !== undefined && stateNamesAround(state)(target))
      yield { told, said, implied: [other] };
  }
}
