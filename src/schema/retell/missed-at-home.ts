import { isNull, type Node } from "../../document/node.js";
import { getOrMake } from "../../maps/get-or-make.js";
import { homeOf } from "../../meant/homes.js";
import { addTo } from "../../maps/add-to.js";
import { linesInside } from "../lines-inside.js";
import { nounOf } from "../thing.js";
import type { SchemaError } from "../validator.js";
import { groupedBy, type Mistake, type Scene, unknownByPath } from "./retold.js";

/** What stands outside its home is also missed there, or the home is empty: that is one fault. */
export function* missedAtHome(errors: readonly SchemaError[], { nodeAt }: Scene): Iterable<Mistake> {
  const missing = missedByHome(errors);
  const empty = new Map(
    errors
      .filter(({ keyword, instancePath }) => keyword === "type" && isNull(nodeAt(instancePath)))
      .map((error) => [error.instancePath, error]),
  );
  for (const [path, properties] of missing.size + empty.size > 0 ? unknownByPath(errors) : []) {
    const node = nodeAt(path);
    const kind = node && nounOf(node);
    for (const [name, told] of properties) {
      const home = homeOf(name, kind);
      if (home === undefined) continue;
      const at = `${path}/${home.replaceAll(".", "/")}`;
      const [missed = empty.get(at), ...more] = missing.get(`${at}/${name}`) ?? [];
      if (missed !== undefined && more.length === 0) yield { told, implied: [missed] };
    }
  }
}

/** What a thing lacks and what stands below it, though its neighbours have it already: that is told as a key used twice. */
export function* missedAbove(errors: readonly SchemaError[], { nodeAt }: Scene): Iterable<Mistake> {
  const byPath = groupedBy(errors, ({ instancePath }) => instancePath);
  const linesIn = new Map<Node, ReturnType<typeof linesInside>>();
  for (const { instancePath, keyword, params } of errors) {
    if (keyword !== "required") continue;
    const thing = nodeAt(instancePath);
    const holder = thing?.parent;
    const again = holder?.kind === "mapping" ? holder.entry(String(params["missingProperty"])) : undefined;
    if (holder?.kind !== "mapping" || again?.key.isDoubled !== true) continue;
    const lines = getOrMake(linesIn, holder, () => linesInside(holder));
    if (lines.get(again.key)?.owner === thing?.key) yield { implied: byPath.get(again.value.pointer) ?? [] };
  }
}

/** By the path of a property the errors that it is not there, also by one with `*` for any one of many things. */
function missedByHome(errors: readonly SchemaError[]): ReadonlyMap<string, readonly SchemaError[]> {
  const found = new Map<string, SchemaError[]>();
  for (const error of errors) {
    if (error.keyword !== "required") continue;
    const { instancePath: path, params } = error;
    const among = `${path.slice(0, path.lastIndexOf("/"))}/*`;
    for (const home of [path, among]) addTo(found, `${home}/${String(params["missingProperty"])}`, error);
  }
  return found;
}
