import type { Words } from "../diagnostic.js";
import { lowerBound } from "../document/line-map.js";
import { type Entry, escapeSegment, hasProperty, type MappingNode, type Node } from "../document/node.js";
import { findNode, isWithin } from "../document/pointers.js";
import { getOrCreate } from "../text/collections.js";
import { knownBeside, nounOf, type Vocabulary } from "./describe-node.js";
import { without } from "./merge-errors.js";
import { homeOf } from "./misplaced-properties.js";
import { nearestProperty } from "./nearest-property.js";
import { sections, shapeOf } from "./pack-places.js";
import { linesFrom, quoteValue, type Suggestion } from "./show-value.js";
import { knows, type SchemaError, typesOf } from "./validator.js";

/** Replaces the whole message of an error, or only the advice. */
type CauseWords = Words | (Suggestion & { readonly message?: undefined });

interface Explained {
  readonly errors: readonly SchemaError[];
  readonly words: ReadonlyMap<SchemaError, CauseWords>;
}

/** Words for errors whose cause is known, without the errors that follow from the same mistake. */
export function findRootCauses(
  errors: readonly SchemaError[],
  root: Node,
  vocabulary: Vocabulary | undefined,
): Explained {
  const words = new Map<SchemaError, CauseWords>();
  const isPack = vocabulary === undefined;
  const ofSections =
    isPack && root.kind === "mapping" ? withoutIndentedSections(errors, root, words) : errors;
  const ofLines = withoutUnindentedLines(ofSections, root, isPack, words);
  return { errors: isPack ? withoutMissedAtHome(ofLines, root) : ofLines, words };
}

/** Where a section ends up that is indented too far, and what the entries there are called. */
const holders: ReadonlyMap<string, string> = new Map([
  ["/template_engine", ""],
  ...sections.map(([name]) => [`/${name}`, ""] as const),
  ["/prompts", "prompt"],
  ["/tools", "tool"],
  ["/workflow/states", "state"],
  ["/agents/members", "agent"],
]);

/** A section that is indented too far is taken for an entry of the section before it. */
function withoutIndentedSections(
  errors: readonly SchemaError[],
  root: MappingNode,
  words: Map<SchemaError, CauseWords>,
): readonly SchemaError[] {
  let left = errors;
  for (const [name, kind] of sections) {
    if (root.get(name) !== undefined) continue;
    for (const [path, noun] of holders) {
      const holder = findNode(root, path);
      const value = holder?.kind === "mapping" ? holder.get(name) : undefined;
      if (value?.kind !== kind || isEntry(value, name, noun, root)) continue;
      const about = left.filter((error) => isWithin(subjectOf(error), `${path}/${name}`));
      const [first] = about;
      if (first === undefined) continue;
      const params = { additionalProperty: name };
      const error = { ...first, instancePath: path, keyword: "additionalProperties", params };
      const outer = quoteValue(path.slice(1).replaceAll("/", "."));
      const message = `${quoteValue(name)} is a section of the pack, not an entry of ${outer}: move it to the top level.`;
      words.set(error, { message });
      const missing = left.filter((other) => missingIn(other) === `/${name}`);
      left = [...without(left, new Set([...about, ...missing])), error];
    }
  }
  return left;
}

/** Whether an object named like a section is an entry of the section it is in: a prompt may be called "tools". */
function isEntry(value: Node, name: string, noun: string, root: MappingNode): boolean {
  if (noun === "" || value.kind !== "mapping") return false;
  if (noun === "agent") return hasProperty(root.get("prompts"), name);
  const { has, required } = shapeOf(noun);
  const known = value.entries.filter(({ key }) => has(key.text)).length;
  return 2 * known >= value.entries.length || required.every((each) => hasProperty(value, each));
}

/** The pointer of what an error is about, unlike the object that it is reported for. */
function subjectOf({ instancePath, keyword, params }: SchemaError): string {
  if (keyword !== "additionalProperties") return instancePath;
  return `${instancePath}/${escapeSegment(String(params["additionalProperty"]))}`;
}

/** The pointer that a missing property would have. */
function missingIn({ instancePath, keyword, params }: SchemaError): string | undefined {
  return keyword === "required" ? `${instancePath}/${String(params["missingProperty"])}` : undefined;
}

/** `on_event:` without a value, and the events below it, not indented: they are taken for its neighbours. */
function withoutUnindentedLines(
  errors: readonly SchemaError[],
  root: Node,
  isPack: boolean,
  words: Map<SchemaError, CauseWords>,
): readonly SchemaError[] {
  const empty = errors.filter(
    ({ keyword, parentSchema }) => keyword === "type" && typesOf(parentSchema).includes("object"),
  );
  if (empty.length === 0) return errors;
  const bySubject = new Map(errors.map((error) => [subjectOf(error), error]));
  const written = new Map<Node, readonly Entry[]>();
  const moved = new Set<string>();
  for (const error of empty) {
    const { instancePath, parentSchema } = error;
    const node = findNode(root, instancePath);
    const holder = node?.parent;
    // A null that is written out is intended.
    if (node === undefined || node.start !== node.end || holder?.kind !== "mapping") continue;
    const around = instancePath.slice(0, instancePath.lastIndexOf("/"));
    const beside = isPack ? knownBeside(node) : [];
    const belongsInside = ({ key }: Entry): boolean => {
      const about = bySubject.get(`${around}/${escapeSegment(key.text)}`);
      if (knows(parentSchema, key.text)) {
        // An open object has no unknown properties; what only the inner object knows does not belong to it.
        const isInner = beside.length > 0 && !beside.includes(key.text);
        return about !== undefined || isInner || key.isDuplicate === true;
      }
      const isUnknown = about?.keyword === "additionalProperties" && !isMisspelt(key.text, about);
      return isUnknown && parentSchema.additionalProperties !== false;
    };
    const entries = getOrCreate(written, holder, () => inTextOrder(holder));
    const names: string[] = [];
    let at = lowerBound(entries, node.end, ({ key }) => key.start);
    for (let entry = entries[at]; entry && belongsInside(entry); entry = entries[++at]) {
      names.push(entry.key.text);
      moved.add(`${around}/${escapeSegment(entry.key.text)}`);
    }
    if (names.length === 0) continue;
    const advice = `Indent ${linesFrom(names)} to put ${names.length === 1 ? "it" : "them"} inside.`;
    words.set(error, { advice });
  }
  return errors.filter((error) => !isInside(subjectOf(error), moved));
}

/** The last value of a repeated key is at the place of the first among the entries. */
function inTextOrder({ entries }: MappingNode): readonly Entry[] {
  return entries.toSorted((a, b) => a.key.start - b.key.start);
}

function isInside(pointer: string, outer: ReadonlySet<string>): boolean {
  for (let end = pointer.length; end > 0; end = pointer.lastIndexOf("/", end - 1))
    if (outer.has(pointer.slice(0, end))) return true;
  return false;
}

function isMisspelt(name: string, { parentSchema }: SchemaError): boolean {
  return nearestProperty(name, Object.keys(parentSchema.properties ?? {})) !== undefined;
}

/** A property outside its home is also missing there. */
function withoutMissedAtHome(errors: readonly SchemaError[], root: Node): readonly SchemaError[] {
  const missing = new Map(errors.map((error) => [missingIn(error), error]));
  if (missing.size === 1) return errors;
  const dropped = new Set<SchemaError>();
  for (const { instancePath: path, keyword, params } of errors) {
    if (keyword !== "additionalProperties") continue;
    const name = String(params["additionalProperty"]);
    const node = findNode(root, path);
    const home = node && homeOf(name, nounOf(node));
    const missed = home && missing.get(`${path}/${home.replaceAll(".", "/")}/${name}`);
    if (missed) dropped.add(missed);
  }
  return without(errors, dropped);
}
