import { homeOf } from "../../meant/homes.js";
import { without } from "../merge-errors.js";
import { nounOf } from "../thing.js";
import type { SchemaError } from "../validator.js";
import { type ByPath, missingByPath, type Retold, type Scene, unknownByPath } from "./retold.js";

/** What stands a level too high is also missed where it belongs: that is one fault. */
export function withoutMissedAtHome(errors: readonly SchemaError[], { nodeAt }: Scene): Retold {
  const dropped = new Set<SchemaError>();
  const missing = missingByPath(errors);
  for (const [path, properties] of missing.size > 0 ? unknownByPath(errors) : []) {
    const node = nodeAt(path);
    const kind = node && nounOf(node);
    for (const name of properties.keys()) {
      const home = homeOf(name, kind);
      const missed = home === undefined ? undefined : missedIn(pathTo(path, home), name, missing);
      if (missed !== undefined) dropped.add(missed);
    }
  }
  return { errors: without(errors, dropped), words: new Map() };
}

function pathTo(path: string, home: string): string {
  return `${path}/${home.replaceAll(".", "/")}`;
}

/** The error that a property is not where it belongs; where it may belong in one of many, the only one that lacks it. */
function missedIn(home: string, name: string, missing: ByPath): SchemaError | undefined {
  if (!home.endsWith("/*")) return missing.get(home)?.get(name);
  const things = home.slice(0, -1);
  const lacking = [...missing].flatMap(([path, names]) => {
    const isOne = path.startsWith(things) && !path.includes("/", things.length);
    return isOne ? (names.get(name) ?? []) : [];
  });
  return lacking.length === 1 ? lacking[0] : undefined;
}
