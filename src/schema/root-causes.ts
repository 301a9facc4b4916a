import type { Words } from "../diagnostic.js";
import { findNode, isWithin } from "../document/pointers.js";
import {
  escapeSegment,
  hasProperty,
  isNull,
  Key,
  type MappingNode,
  type Node,
  stringOf,
  unescapeSegment,
} from "../document/node.js";
import { appendTo, getOrCreate } from "../text/collections.js";
import { joinWords } from "../text/wording.js";
import { shapeOf as keywordShape } from "./json-schema-keywords.js";
import { linesInside } from "./subschemas.js";
import { without } from "./merge-errors.js";
import {
  counts,
  indentable,
  indentedParts,
  linesBelow,
  type Unindented,
  unindentedIn,
} from "./misindented-sections.js";
import { belongsInside, homeOf } from "./misplaced-properties.js";
import { nearestProperty } from "./nearest-property.js";
import { type Shape, shapeOf } from "./pack-places.js";
import { linesFrom, quoteValue, type Suggestion } from "./show-value.js";
import { describeKind, knownBeside, nounOf, type Vocabulary } from "./describe-node.js";
import { knows, type SchemaError, type SchemaPart, typesOf } from "./validator.js";

/** One mistake behind several schema errors. */
interface RootCause {
  /** The error that reports it. */
  readonly error?: SchemaError | undefined;
  /** Reported in place of `error`, where the mistake is in another part of the document. */
  readonly as?: SchemaError | undefined;
  /** Replaces the whole message, or only the advice. */
  readonly words?: CauseWords;
  /** Errors that follow from the mistake and are dropped. */
  readonly implied?: Iterable<SchemaError>;
}

type CauseWords = Words | (Suggestion & { readonly message?: undefined });

interface Scene {
  readonly nodeAt: (path: string) => Node | undefined;
  /** Words for the parts of a document that is not a pack. */
  readonly words?: Vocabulary | undefined;
}

type Matcher = (errors: readonly SchemaError[], scene: Scene) => Iterable<RootCause>;

interface Explained {
  readonly errors: readonly SchemaError[];
  readonly words: ReadonlyMap<SchemaError, CauseWords>;
}

/** The matchers for whole packs, for the parts of a pack that take one of several forms, and for other documents. */
const matchers = {
  pack: [
    indentedSections,
    unindentedProperties,
    bareParameters,
    spreadParameters,
    unindentedLines,
    nestedThings,
    missedAtHome,
    missedAbove,
  ],
  part: [unindentedLines, nestedThings, missedAtHome, missedAbove],
  other: [unindentedLines, nestedThings],
} satisfies Record<string, readonly Matcher[]>;

/** The remaining errors. The first matcher to claim an error wins. */
export function findRootCauses(
  kind: keyof typeof matchers,
  errors: readonly SchemaError[],
  root: Node,
  vocabulary: Vocabulary | undefined,
): Explained {
  const scene: Scene = { nodeAt: (path) => findNode(root, path), words: vocabulary };
  const words = new Map<SchemaError, CauseWords>();
  let left = errors;
  for (const matcher of matchers[kind]) {
    const claimed = new Set(words.keys());
    const dropped = new Set<SchemaError>();
    const moved = new Map<SchemaError, SchemaError>();
    for (const cause of matcher(left, scene)) {
      for (const error of cause.implied ?? []) if (!claimed.has(error)) dropped.add(error);
      if (cause.error === undefined) continue;
      if (cause.as !== undefined) moved.set(cause.error, cause.as);
      const error = cause.as ?? cause.error;
      if (cause.words !== undefined && !words.has(error)) words.set(error, cause.words);
    }
    left = without(left, dropped);
    if (moved.size > 0) left = left.map((error) => moved.get(error) ?? error);
  }
  return { errors: left, words };
}

/** A section that is indented too far is taken for an entry of the section before it, or of its last entry. */
function* indentedSections(errors: readonly SchemaError[], { nodeAt }: Scene): Iterable<RootCause> {
  const root = nodeAt("");
  if (root?.kind !== "mapping") return;
  for (const candidate of indentable) {
    for (const part of candidate.parts) {
      const [name] = part;
      for (const { path, isInEntry } of indentedParts(root, candidate, part)) {
        const outer = pathOf(path);
        const missing = errors.filter((error) => isMissing(error, pathOf(candidate.home), name));
        const about = errors.filter((error) => entryIn(outer, error) === name);
        const there = about.find((error) => isAt(outer, name, error));
        // Where anything is allowed, it is only missing at home; where little is required, its entries are unknown.
        const error = there ?? missing[0] ?? about[0];
        if (error === undefined) continue;
        yield {
          error,
          as: error === there ? undefined : unknownIn(outer, name, error),
          words: isInEntry ? { advice: belongsInside("") } : sectionWords(name, candidate.home, path),
          implied: [...about, ...missing].filter((other) => other !== error),
        };
      }
    }
  }
}

function pathOf(names: readonly string[]): string {
  return names.map((name) => `/${escapeSegment(name)}`).join("");
}

function sectionWords(name: string, home: readonly string[], holder: readonly string[]): Words {
  if (home.length > 0) {
    const last = holder.at(-1) ?? "";
    const instead = last === "states" ? "a state" : `of its ${quoteValue(last)}`;
    return {
      message: `${quoteValue(name)} is a property of the ${home.join(".")}, not ${instead}.`,
      advice: `Put it beside ${quoteValue(last)}.`,
    };
  }
  const outer = quoteValue(holder.join("."));
  return {
    message: `${quoteValue(name)} is a section of the pack, not an entry of ${outer}: move it to the top level.`,
  };
}

/** The entry of a mapping that an error is about. */
function entryIn(outer: string, { instancePath, keyword, params }: SchemaError): string | undefined {
  if (instancePath === outer)
    return keyword === "additionalProperties" ? String(params["additionalProperty"]) : undefined;
  if (!isWithin(instancePath, outer)) return undefined;
  const end = instancePath.indexOf("/", outer.length + 1);
  return unescapeSegment(instancePath.slice(outer.length + 1, end === -1 ? undefined : end));
}

/** Whether an error is about an entry of a mapping, and not about something inside it. */
function isAt(outer: string, name: string, { instancePath, keyword, params }: SchemaError): boolean {
  return keyword === "additionalProperties"
    ? instancePath === outer && params["additionalProperty"] === name
    : instancePath === `${outer}/${name}`;
}

function unknownIn(outer: string, name: string, missing: SchemaError): SchemaError {
  return {
    ...missing,
    instancePath: outer,
    keyword: "additionalProperties",
    params: { additionalProperty: name },
  };
}

function isMissing({ instancePath, keyword, params }: SchemaError, home: string, name: string): boolean {
  return instancePath === home && keyword === "required" && params["missingProperty"] === name;
}

/** Properties of a prompt or a state that are written beside it are taken for prompts and states. */
function* unindentedProperties(errors: readonly SchemaError[], { nodeAt }: Scene): Iterable<RootCause> {
  const byPath = unindentedByPath(errors, nodeAt);
  if (byPath.size === 0) return;
  for (const [run, about] of groupedBy(errors, ({ instancePath }) => runAround(instancePath, byPath))) {
    const owner = run.owner?.value.pointer;
    const lacking = about.filter((error) => error.instancePath === owner && isOfOwner(error, run));
    const ofLines = about.filter(({ instancePath }) => instancePath !== owner);
    // Where every key is repeated below, the only error is that the owner lacks them.
    const [error] = run.entries.some(({ key }) => counts(key)) ? ofLines : lacking;
    yield {
      error,
      words: unindentedWords(run),
      implied: [...lacking, ...ofLines].filter((other) => other !== error),
    };
  }
}

/** By the paths of the properties and of their owners. */
function unindentedByPath(
  errors: readonly SchemaError[],
  nodeAt: Scene["nodeAt"],
): ReadonlyMap<string, Unindented> {
  const found = new Map<string, Unindented>();
  for (const [path, shape] of shapesByPath(errors)) {
    const section = nodeAt(path);
    if (section?.kind !== "mapping") continue;
    for (const run of unindentedIn(section, shape)) {
      for (const { value } of run.entries) found.set(value.pointer, run);
      if (run.owner !== undefined) found.set(run.owner.value.pointer, run);
    }
  }
  return found;
}

/** The shape of the entries of a section, where one with an error is called like a property of them. */
function shapesByPath(errors: readonly SchemaError[]): ReadonlyMap<string, Shape> {
  const found = new Map<string, Shape>();
  for (const { instancePath, keyword, parentSchema } of errors) {
    if (keyword !== "type" && keyword !== "required") continue;
    const slash = instancePath.lastIndexOf("/");
    if (knows(parentSchema, instancePath.slice(slash + 1)))
      found.set(instancePath.slice(0, slash), {
        has: (name) => knows(parentSchema, name),
        required: parentSchema.required ?? [],
      });
  }
  return found;
}

/** The run that the error at a path is about; for an owner, only errors about the owner itself. */
function runAround(path: string, byPath: ReadonlyMap<string, Unindented>): Unindented | undefined {
  for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
    const part = path.slice(0, end);
    const run = byPath.get(part);
    if (run !== undefined) return part === path || run.owner?.value.pointer !== part ? run : undefined;
  }
  return undefined;
}

/** Whether an error says that the owner lacks what is written beside it. */
function isOfOwner({ keyword, params }: SchemaError, { entries }: Unindented): boolean {
  return keyword === "type" || entries.some(({ key }) => key.text === params["missingProperty"]);
}

function unindentedWords({ owner, entries }: Unindented): Words {
  const first = entries[0]?.value;
  const kind = first === undefined ? "" : describeKind(first);
  const names = [...new Set(entries.map(({ key }) => quoteValue(key.text)))];
  const isOne = names.length === 1;
  const claim = isOne
    ? `is a property of ${kind}, not ${kind}`
    : `are properties of ${kind}, not ${kind.replace(/^an? /, "")}s`;
  const home = owner === undefined ? `below the name of ${kind}` : `inside ${quoteValue(owner.key.text)}`;
  return {
    message: `${joinWords(names, "and")} ${claim}.`,
    advice: `Move ${isOne ? "it" : "them"} ${home}.`,
  };
}

const tool = /^\/tools\/[^/]+$/;
const parametersOfTool = /^\/tools\/[^/]+\/parameters$/;

const bareWords: Words = {
  message: '"parameters" has no "properties" and no "type".',
  advice: 'Put what is inside it under "properties", and add a "type" of "object".',
};

/** Parameters of a tool that are not wrapped in a JSON Schema lack both `type` and `properties`. */
function* bareParameters(errors: readonly SchemaError[], { nodeAt }: Scene): Iterable<RootCause> {
  for (const [path, lacking] of missingByPath(errors)) {
    if (!parametersOfTool.test(path) || !areBare(nodeAt(path))) continue;
    const [error, ...implied] = lacking.values();
    yield { error, words: bareWords, implied };
  }
}

/** The parts of a tool's `parameters` written directly in the tool, without that line. */
function* spreadParameters(errors: readonly SchemaError[], { nodeAt }: Scene): Iterable<RootCause> {
  for (const [path, unknown] of unknownByPath(errors)) {
    const node = unknown.has("properties") && tool.test(path) ? nodeAt(path) : undefined;
    if (node?.kind !== "mapping" || node.get("parameters") !== undefined) continue;
    const isTyped = stringOf(node.get("type")) === "object";
    const isPart = (name: string) =>
      homeOf(name, "tool", node.get(name)?.kind) === "parameters" || (isTyped && name === "type");
    const parts = [...unknown].filter(([name]) => isPart(name));
    const [error, ...implied] = parts.map(([, part]) => part);
    yield {
      error,
      words: spreadWords(
        parts.map(([name]) => name),
        isTyped,
      ),
      implied,
    };
  }
}

function spreadWords(names: readonly string[], isTyped: boolean): Words {
  const isOne = names.length === 1;
  const claim = isOne ? "is not a property" : "are not properties";
  const type = isTyped ? "" : ', with a "type" of "object"';
  return {
    message: `${joinWords(names.map(quoteValue), "and")} ${claim} of a tool.`,
    advice: `Put ${isOne ? "it" : "them"} inside "parameters"${type}.`,
  };
}

function areBare(node: Node | undefined): boolean {
  if (node?.kind !== "mapping" || node.entries.length === 0) return false;
  return node.entries.every(
    ({ key, value }) => keywordShape(key.text, "") === undefined && isJsonSchema(value),
  );
}

function isJsonSchema(node: Node): boolean {
  return node.kind === "mapping" && node.entries.some(({ key }) => keywordShape(key.text, "") !== undefined);
}

/** `on_event:` without a value, and the events below it, not indented: they are taken for its neighbours. */
function* unindentedLines(errors: readonly SchemaError[], { nodeAt, words }: Scene): Iterable<RootCause> {
  const lines = new Set<string>();
  const unknown = unknownByPath(errors);
  for (const error of errors) {
    if (error.keyword !== "type" || !typesOf(error.parentSchema).includes("object")) continue;
    const empty = nodeAt(error.instancePath);
    const around = error.instancePath.slice(0, error.instancePath.lastIndexOf("/"));
    const known = empty === undefined || words !== undefined ? [] : knownBeside(empty);
    const siblings = unknown.get(around);
    if (siblings === undefined && known.length === 0 && !hasRepeatedKey(empty?.parent)) continue;
    const keys = keysBelow(empty, error, siblings, known);
    if (keys.length === 0) continue;
    for (const key of keys) if (counts(key)) lines.add(`${around}/${key.text}`);
    const names = [...new Set(keys.map(({ text }) => text))];
    const advice = `Indent ${linesFrom(names)} to put ${names.length === 1 ? "it" : "them"} inside.`;
    yield { error, words: { advice } };
  }
  const isOfLine = ({ instancePath, keyword, params }: SchemaError) =>
    lines.has(
      keyword === "additionalProperties"
        ? `${instancePath}/${String(params["additionalProperty"])}`
        : instancePath,
    );
  if (lines.size > 0) yield { implied: errors.filter(isOfLine) };
}

function hasRepeatedKey(holder: Node | null | undefined): boolean {
  return holder?.kind === "mapping" && holder.allEntries !== undefined;
}

function keysBelow(
  empty: Node | undefined,
  { parentSchema }: SchemaError,
  unknown: ByName = new Map(),
  known: readonly string[],
): readonly Key[] {
  const isUnknown = (name: string) => {
    const error = unknown.get(name);
    if (error === undefined || knows(parentSchema, name)) return error !== undefined;
    return parentSchema.additionalProperties !== false && !isMisspelt(name, error);
  };
  // An open object has no unknown properties; what the inner object knows does not belong to it.
  const isInner = (name: string) => known.length > 0 && !known.includes(name) && knows(parentSchema, name);
  // A neighbour that is already there is repeated because the second one is not indented.
  const isRepeated = ({ isDuplicate, text }: Key) => isDuplicate === true && knows(parentSchema, text);
  return linesBelow(empty, (key) => isUnknown(key.text) || isInner(key.text) || isRepeated(key));
}

function isMisspelt(name: string, { parentSchema }: SchemaError): boolean {
  return nearestProperty(name, Object.keys(parentSchema.properties ?? {})) !== undefined;
}

/** A thing inside another: the content under one name too many, or a thing that belongs beside it. */
function* nestedThings(errors: readonly SchemaError[], scene: Scene): Iterable<RootCause> {
  const missing = missingByPath(errors);
  for (const [path, properties] of unknownByPath(errors)) {
    const node = scene.nodeAt(path);
    if (node?.kind !== "mapping") continue;
    const lacking = missing.get(path);
    // Which of several to unwrap is unknown.
    if (lacking !== undefined && properties.size > 1) continue;
    for (const [name, error] of properties) {
      const advice =
        lacking === undefined
          ? besideAdvice(node, name, error.parentSchema, scene)
          : unwrapAdvice(node, name, error.parentSchema, lacking, scene);
      if (advice !== undefined) yield { error, words: { advice }, implied: lacking?.values() ?? [] };
    }
  }
}

function besideAdvice(
  node: MappingNode,
  name: string,
  schema: SchemaPart,
  { nodeAt, words }: Scene,
): string | undefined {
  const inside = node.get(name);
  if (!(node.key instanceof Key) || inside?.kind !== "mapping") return undefined;
  // An agent needs nothing but the name of a prompt.
  const isAgent = words === undefined && nounOf(node) === "agent" && hasProperty(nodeAt("/prompts"), name);
  if (!isAgent && !(isMostlyKnown(inside, schema) && hasAll(inside, schema.required))) return undefined;
  return `It looks like ${describeKind(node, words)} of its own: put it beside ${quoteValue(node.key.text)}.`;
}

function unwrapAdvice(
  node: MappingNode,
  name: string,
  schema: SchemaPart,
  missing: ByName,
  { words }: Scene,
): string | undefined {
  const inside = node.get(name);
  if (inside?.kind !== "mapping" || !isMostlyKnown(inside, schema)) return undefined;
  if (!hasAll(inside, [...missing.keys()])) return undefined;
  return `Put what is inside it directly in the ${nounOf(node, words) ?? describeKind(node, words)}.`;
}

/** With no required keys, any object would match. */
function hasAll(node: MappingNode, required: readonly string[] = []): boolean {
  return required.length > 0 && required.every((property) => node.get(property) !== undefined);
}

/** Another object may have a "version" of its own. */
function isMostlyKnown({ entries }: MappingNode, schema: SchemaPart): boolean {
  return 2 * entries.filter(({ key }) => knows(schema, key.text)).length > entries.length;
}

/** A property outside its home is also missing there, or its home is empty. */
function* missedAtHome(errors: readonly SchemaError[], { nodeAt }: Scene): Iterable<RootCause> {
  const missing = missingByHome(errors);
  const empty = new Map(
    errors
      .filter(({ keyword, instancePath }) => keyword === "type" && isNull(nodeAt(instancePath)))
      .map((error) => [error.instancePath, error]),
  );
  for (const [path, properties] of missing.size + empty.size > 0 ? unknownByPath(errors) : []) {
    const node = nodeAt(path);
    for (const [name, error] of properties) {
      const home = node && homeOf(name, nounOf(node));
      if (home === undefined) continue;
      const at = `${path}/${home.replaceAll(".", "/")}`;
      const [missed = empty.get(at), ...more] = missing.get(`${at}/${name}`) ?? [];
      if (missed !== undefined && more.length === 0) yield { error, implied: [missed] };
    }
  }
}

/** By the path of a missing property, also with `*` in place of the thing that lacks it. */
function missingByHome(errors: readonly SchemaError[]): ReadonlyMap<string, readonly SchemaError[]> {
  const found = new Map<string, SchemaError[]>();
  for (const error of errors) {
    if (error.keyword !== "required") continue;
    const { instancePath: path, params } = error;
    const among = `${path.slice(0, path.lastIndexOf("/"))}/*`;
    for (const home of [path, among]) appendTo(found, `${home}/${String(params["missingProperty"])}`, error);
  }
  return found;
}

/** What a thing lacks and its neighbours then have twice: `duplicate-key` reports that. */
function* missedAbove(errors: readonly SchemaError[], { nodeAt }: Scene): Iterable<RootCause> {
  const byPath = groupedBy(errors, ({ instancePath }) => instancePath);
  const linesIn = new Map<Node, ReturnType<typeof linesInside>>();
  for (const { instancePath, keyword, params } of errors) {
    if (keyword !== "required") continue;
    const owner = nodeAt(instancePath);
    const holder = owner?.parent;
    const again = holder?.kind === "mapping" ? holder.entry(String(params["missingProperty"])) : undefined;
    if (holder?.kind !== "mapping" || again?.key.isDuplicate !== true) continue;
    const lines = getOrCreate(linesIn, holder, () => linesInside(holder));
    if (lines.get(again.key)?.owner === owner?.key) yield { implied: byPath.get(again.value.pointer) ?? [] };
  }
}

/** A value in `on_event` that is not an event: a state, or a property of the state around it. */
export function notAnEvent(node: Node): Words | undefined {
  const events = node.parent;
  const state = events?.parent;
  const isEvent =
    events?.key instanceof Key && events.key.text === "on_event" && state && nounOf(state) === "state";
  if (!isEvent || !(node.key instanceof Key) || !(state.key instanceof Key)) return undefined;
  const { text } = node.key;
  if (node.kind === "mapping" && shapeOf("state").required.every((name) => node.get(name) !== undefined))
    return {
      message: `${quoteValue(text)} is a state, not an event.`,
      advice: `Put it beside ${quoteValue(state.key.text)}.`,
    };
  if (text === "on_event" || !shapeOf("state").has(text)) return undefined;
  return {
    message: `${quoteValue(text)} is a property of a state, not an event.`,
    advice: `Put it beside "on_event".`,
  };
}

type ByName = ReadonlyMap<string, SchemaError>;
type ByPath = ReadonlyMap<string, ByName>;

function missingByPath(errors: readonly SchemaError[]): ByPath {
  return byPath(errors, "required", "missingProperty");
}

function unknownByPath(errors: readonly SchemaError[]): ByPath {
  return byPath(errors, "additionalProperties", "additionalProperty");
}

/** The errors of one keyword, by the path of the object and by the property they are about. */
function byPath(errors: readonly SchemaError[], keyword: string, parameter: string): ByPath {
  const found = new Map<string, Map<string, SchemaError>>();
  for (const error of errors) {
    if (error.keyword !== keyword) continue;
    const here = getOrCreate(found, error.instancePath, () => new Map());
    here.set(String(error.params[parameter]), error);
  }
  return found;
}

function groupedBy<Common>(
  errors: readonly SchemaError[],
  commonOf: (error: SchemaError) => Common | undefined,
): ReadonlyMap<Common, readonly SchemaError[]> {
  const found = new Map<Common, SchemaError[]>();
  for (const error of errors) {
    const common = commonOf(error);
    if (common !== undefined) appendTo(found, common, error);
  }
  return found;
}
