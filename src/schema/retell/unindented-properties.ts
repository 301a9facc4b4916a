import type { Words } from "../../diagnostic.js";
import type { Node } from "../../document/node.js";
import { counts, type Make, type Unindented, unindentedIn } from "../../meant/unindented.js";
import { quoted } from "../show-value.js";
import { kindOfThing } from "../thing.js";
import { knows, type SchemaError, type SchemaPart } from "../validator.js";
import { groupedBy, type Mistake, type Scene } from "./retold.js";
import { joined } from "../../words/wording.js";

/** Properties of a prompt or a state that stand beside it are taken for prompts and states: that is one fault. */
export function* unindentedProperties(errors: readonly SchemaError[], { nodeAt }: Scene): Iterable<Mistake> {
  const byPath = runsByPath(errors, nodeAt);
  if (byPath.size === 0) return;
  for (const [run, about] of groupedBy(errors, ({ instancePath }) => runAround(instancePath, byPath))) {
    const owner = run.owner?.value.pointer;
    const lacking = about.filter((error) => error.instancePath === owner && isOfOwner(error, run));
    const ofLines = about.filter(({ instancePath }) => instancePath !== owner);
    // Of lines whose keys all come again below, nothing is said but that the owner lacks them.
    const [told] = run.entries.some(({ key }) => counts(key)) ? ofLines : lacking;
    yield { told, said: wordsOf(run), implied: [...lacking, ...ofLines].filter((error) => error !== told) };
  }
}

/** By the paths of the properties and of their owners. */
function runsByPath(
  errors: readonly SchemaError[],
  nodeAt: (path: string) => Node | undefined,
): ReadonlyMap<string, Unindented> {
  const found = new Map<string, Unindented>();
  for (const [path, make] of makesByPath(errors)) {
    const things = nodeAt(path);
    if (things?.kind !== "mapping") continue;
    for (const run of unindentedIn(things, make)) {
      for (const { value } of run.entries) found.set(value.pointer, run);
      if (run.owner !== undefined) found.set(run.owner.value.pointer, run);
    }
  }
  return found;
}

/** What the things in a mapping are made of, where one of those that are wrong is called like a property of them. */
function makesByPath(errors: readonly SchemaError[]): ReadonlyMap<string, Make> {
  const found = new Map<string, Make>();
  for (const { instancePath, keyword, parentSchema } of errors) {
    if (keyword !== "type" && keyword !== "required") continue;
    const slash = instancePath.lastIndexOf("/");
    if (knows(parentSchema, instancePath.slice(slash + 1)))
      found.set(instancePath.slice(0, slash), makeOf(parentSchema));
  }
  return found;
}

/** What the schema says that a thing is made of. */
function makeOf(schema: SchemaPart): Make {
  return { hasProperty: (name) => knows(schema, name), required: schema.required ?? [] };
}

/** The run that the error at a path is about: of an owner only what is said of itself. */
function runAround(path: string, byPath: ReadonlyMap<string, Unindented>): Unindented | undefined {
  for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
    const part = path.slice(0, end);
    const run = byPath.get(part);
    if (run !== undefined) return part === path || run.owner?.value.pointer !== part ? run : undefined;
  }
  return undefined;
}

/** Whether an error says of the owner that it lacks what stands beside it. */
function isOfOwner({ keyword, params }: SchemaError, { entries }: Unindented): boolean {
  return keyword === "type" || entries.some(({ key }) => key.text === params["missingProperty"]);
}

function wordsOf({ owner, entries }: Unindented): Words {
  const thing = entries[0]?.value;
  const kind = thing === undefined ? "" : kindOfThing(thing);
  const names = [...new Set(entries.map(({ key }) => quoted(key.text)))];
  const isOne = names.length === 1;
  const claim = isOne
    ? `is a property of ${kind}, not ${kind}`
    : `are properties of ${kind}, not ${kind.replace(/^an? /, "")}s`;
  const home = owner === undefined ? `below the name of ${kind}` : `inside ${quoted(owner.key.text)}`;
  return { message: `${joined(names, "and")} ${claim}.`, advice: `Move ${isOne ? "it" : "them"} ${home}.` };
}
