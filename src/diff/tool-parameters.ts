import type { Place } from "../diagnostic.js";
import { asMapping, locatedStringsOf, type MappingNode, type Node } from "../document/node.js";
import type { Tool } from "../pack/prompt.js";
import { shapeOf } from "../schema/json-schema-keywords.js";
import type { Change, ChangeLevel } from "./change.js";
import type { Comparison } from "./comparison.js";
import { compareConstraint } from "./constraints.js";
import { keyOf, keysOf, type Values } from "./values.js";

type Changes = Iterable<Change>;

/** Keywords that describe values and exclude none, and those that are compared by property. */
const notConstraints = new Set(
  `$schema $id $comment $vocabulary title description examples default deprecated readOnly writeOnly contentEncoding
  contentMediaType contentSchema properties required`.split(/\s+/),
);

/** The name by which the model and the host know it. */
export const nameOfTool = ({ name, key }: Tool): string => name?.text ?? key.text;

/**
 * The arguments that the host receives. The pack sends them, so what breaks hosts is a schema that allows more, or no
 * longer promises something.
 */
export function* compareParameters(before: Tool, after: Tool, { values, exact }: Comparison): Changes {
  const [was, is] = [before.node?.get("parameters"), after.node?.get("parameters")];
  if (exact.isSame(was, is)) return;
  const changes = [...compareSchemas("", values, before.parameters, after.parameters)];
  if (changes.length === 0 && is !== undefined)
    changes.push(changeOf("compatible", "new", keyOf(is), "describes its parameters differently"));
  for (const change of changes)
    yield { ...change, message: `Tool "${nameOfTool(after)}" ${change.message}.` };
}

/** `path` is `order.items[]`, empty for the whole. */
function* compareSchemas(path: string, values: Values, before?: MappingNode, after?: MappingNode): Changes {
  if (values.isSame(before, after)) return;
  yield* compareProperties(path, values, before, after);
  if (before === undefined || after === undefined) return;
  for (const keyword of keysOf(before, after)) {
    // Arguments are always an object.
    if (notConstraints.has(keyword) || (path === "" && keyword === "type")) continue;
    if (shapeOf(keyword, "") === undefined) continue;
    yield* compareKeyword(keyword, path, values, before.get(keyword), after.get(keyword));
  }
}

function* compareKeyword(keyword: string, path: string, values: Values, was?: Node, is?: Node): Changes {
  const inside = { items: `${path}[]`, properties: path }[keyword];
  const areSchemas = inside !== undefined && was?.kind === "mapping" && is?.kind === "mapping";
  if (areSchemas) yield* compareSchemas(inside, values, was, is);
  const change = areSchemas ? undefined : compareConstraint(keyword, was, is, values);
  if (change === undefined) return;
  const { side, at, predicate, isWider } = change;
  const effect = isWider ? "may be called with new values" : "is called with fewer values";
  const message = `${effect}${path === "" ? "" : ` of "${path}"`}: "${keyword}" ${predicate}`;
  yield changeOf(isWider ? "breaking" : "compatible", side, at, message);
}

function* compareProperties(path: string, values: Values, before?: MappingNode, after?: MappingNode) {
  const [old, now] = [asMapping(before?.get("properties")), asMapping(after?.get("properties"))];
  const [wasRequired, isRequired] = [requiredOf(before), requiredOf(after)];
  for (const name of new Set([...keysOf(old, now), ...isRequired.keys(), ...wasRequired.keys()])) {
    const [was, is] = [old?.entry(name), now?.entry(name)];
    const [needed, needs] = [wasRequired.get(name), isRequired.get(name)];
    const inside = path === "" ? name : `${path}.${name}`;
    if (is !== undefined && was === undefined && needed === undefined)
      yield changeOf("behaviour", "new", is.key, `may be called with a new parameter "${inside}"`);
    else if (was !== undefined && is === undefined && needs === undefined) {
      const level = needed === undefined ? "compatible" : "breaking";
      yield changeOf(level, "old", was.key, `is no longer called with "${inside}"`);
    } else if (needs !== undefined && needed === undefined)
      yield changeOf("compatible", "new", needs, `is always called with "${inside}" now`);
    else if (needed !== undefined && needs === undefined) {
      const side = is === undefined ? "old" : "new";
      yield changeOf("breaking", side, is?.key ?? needed, `may be called without "${inside}" now`);
    }
    if (was && is) yield* compareKeyword("properties", inside, values, was.value, is.value);
  }
}

function requiredOf(schema: MappingNode | undefined): ReadonlyMap<string, Place> {
  return new Map(locatedStringsOf(schema?.get("required")).map((name) => [name.text, name]));
}

function changeOf(level: ChangeLevel, side: Change["side"], at: Place, message: string): Change {
  return { rule: "tool-parameters-changed", level, side, at, message };
}
