import { Key, type MappingNode } from "../../document/node.js";
import { hasProperty } from "../../document/spelled-values.js";
import { quoted } from "../show-value.js";
import { kindOfThing, nounOf } from "../thing.js";
import { knows, type SchemaError, type SchemaPart } from "../validator.js";
import { type ByName, missingByPath, type Mistake, muddlesIn, type Scene, unknownByPath } from "./retold.js";

/** Of which a section has any number, each under a name of its own. */
const ofMany = new Set<string | undefined>(["prompt", "state", "tool", "agent", "artifact"]);

/** Things that were put in a group of their own, which is taken for one of them: that is one fault. */
export function* groups(errors: readonly SchemaError[], scene: Scene): Iterable<Mistake> {
  for (const { node, lacking, unknown } of muddlesIn(errors, scene)) {
    if (!(node.key instanceof Key)) continue;
    const noun = nounOf(node, scene.words);
    const [told, ...more] = ofMany.has(noun) ? thingsIn(node, unknown, lacking) : [];
    if (more.length === 0) continue;
    const claim = `It and ${more.length} more look like ${noun}s of their own`;
    const advice = `${claim}: put them in the place of ${quoted(node.key.text)}.`;
    yield { told, said: { advice }, implied: [...more, ...lacking.values()] };
  }
}

/** What stands in a thing and has all that it lacks. */
function thingsIn(node: MappingNode, unknown: ByName, missing: ByName): readonly SchemaError[] {
  return [...unknown].flatMap(([name, error]) => {
    const inside = node.get(name);
    const isThing = inside?.kind === "mapping" && isMostlyKnown(inside, error.parentSchema);
    return isThing && hasAll(inside, [...missing.keys()]) ? error : [];
  });
}

/** A thing inside another: what it was to be itself, under one name too many, or one that belongs beside it. */
export function* thingsInThings(errors: readonly SchemaError[], scene: Scene): Iterable<Mistake> {
  const missing = missingByPath(errors);
  for (const [path, properties] of unknownByPath(errors)) {
    const node = scene.nodeAt(path);
    if (node?.kind !== "mapping") continue;
    const lacking = missing.get(path);
    for (const [name, told] of properties) {
      const advice =
        lacking === undefined
          ? besideAdvice(node, name, told.parentSchema, scene)
          : directAdvice(node, name, told.parentSchema, lacking, scene);
      if (advice !== undefined) yield { told, said: { advice }, implied: lacking?.values() ?? [] };
    }
  }
}

/** An agent needs nothing but the name of a prompt. */
function besideAdvice(
  node: MappingNode,
  name: string,
  schema: SchemaPart,
  { nodeAt, words }: Scene,
): string | undefined {
  const inside = node.get(name);
  if (!(node.key instanceof Key) || inside?.kind !== "mapping") return undefined;
  const isAgent = words === undefined && nounOf(node) === "agent" && hasProperty(nodeAt("/prompts"), name);
  if (!isAgent && !(isMostlyKnown(inside, schema) && hasAll(inside, schema.required))) return undefined;
  return `It looks like ${kindOfThing(node, words)} of its own: put it beside ${quoted(node.key.text)}.`;
}

function directAdvice(
  node: MappingNode,
  name: string,
  schema: SchemaPart,
  missing: ByName,
  { words }: Scene,
): string | undefined {
  const inside = node.get(name);
  if (inside?.kind !== "mapping" || !isMostlyKnown(inside, schema)) return undefined;
  if (!hasAll(inside, [...missing.keys()])) return undefined;
  return `Put what is inside it directly in the ${nounOf(node, words) ?? kindOfThing(node, words)}.`;
}

/** Something that has to have nothing looks like anything. */
function hasAll(node: MappingNode, required: readonly string[] = []): boolean {
  return required.length > 0 && required.every((property) => node.get(property) !== undefined);
}

/** Something else may have a "version" of its own. */
function isMostlyKnown({ entries }: MappingNode, schema: SchemaPart): boolean {
  return 2 * entries.filter(({ key }) => knows(schema, key.text)).length > entries.length;
}
