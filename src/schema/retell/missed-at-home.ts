import { homeOf } from "../../meant/homes.js";
import { without } from "../merge-errors.js";
import { nounOf } from "../thing.js";
import type { SchemaError } from "../validator.js";
import { type Retold, type Scene, unknownByPath } from "./retold.js";

/** What stands a level too high is also missed where it belongs: that is one fault. */
export function withoutMissedAtHome(errors: readonly SchemaError[], { nodeAt }: Scene): Retold {
  const dropped = new Set<SchemaError>();
  const missing = missedByHome(errors);
  for (const [path, properties] of missing.size > 0 ? unknownByPath(errors) : []) {
    const node = nodeAt(path);
    const kind = node && nounOf(node);
    for (const name of properties.keys()) {
      const home = homeOf(name, kind);
      const [missed, ...more] = home === undefined ? [] : (missing.get(pathTo(path, home, name)) ?? []);
      if (missed !== undefined && more.length === 0) dropped.add(missed);
    }
  }
  return { errors: without(errors, dropped), words: new Map() };
}

function pathTo(path: string, home: string, name: string): string {
  return `${path}/${home.replaceAll(".", "/")}/${name}`;
}

/** By the path of a property the errors that it is not there, also by one with `*` for any one of many things. */
function missedByHome(errors: readonly SchemaError[]): ReadonlyMap<string, readonly SchemaError[]> {
  const found = new Map<string, SchemaError[]>();
  for (const error of errors) {
    if (error.keyword !== "required") continue;
    const { instancePath: path, params } = error;
    const among = `${path.slice(0, path.lastIndexOf("/"))}/*`;
    for (const home of [path, among]) {
      const place = `${home}/${String(params["missingProperty"])}`;
      const here = found.get(place);
      if (here === undefined) found.set(place, [error]);
      else here.push(error);
    }
  }
  return found;
}
