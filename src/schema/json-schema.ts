import type { Finding, Place } from "../diagnostic.js";
import { isDuplicated, isNull, type MappingNode, type Node, placeOf, stringOf } from "../document/node.js";
import { findNode } from "../document/pointers.js";
import { isUniqueTypo, type NameGuess, nearestName } from "../text/names.js";
import { joinWords } from "../text/wording.js";
import {
  isLocal,
  itemsOrSelf,
  type KeywordUse,
  keywordUses,
  namesShape,
  sameValueKeywords,
  schemaShape,
} from "./json-schema-keywords.js";
import { describeFound, describeValue, quoteValue, type Suggestion, suggestion } from "./describe-node.js";
import { isType, types } from "./validator.js";
import { mustBe } from "./value-messages.js";

interface JsonSchemaOptions {
  /** The text of the file, to quote numbers as written. */
  readonly source: string;
  readonly patternFault: (pattern: string) => string | undefined;
  readonly guess: NameGuess;
}

/** Checks that the parameters of a tool are a JSON Schema. Unknown keywords are allowed, as in JSON Schema. */
export function jsonSchemaFindings(parameters: MappingNode, options: JsonSchemaOptions): readonly Finding[] {
  return new Walk(parameters, options).findings();
}

/** Covered by the pack's schema. */
const reported: ReadonlySet<string> = new Set(["type", "properties", "required"]);

class Walk {
  private readonly found: Finding[] = [];
  private readonly subjects = new Map<Node, Subject>();
  private readonly references: KeywordUse[] = [];

  constructor(
    private readonly root: MappingNode,
    private readonly options: JsonSchemaOptions,
  ) {}

  findings(): readonly Finding[] {
    const { root, references, subjects } = this;
    const isDeclaredElsewhere = root.get("properties") === undefined && root.get("$ref") === undefined;
    subjects.set(root, createSubject(isDeclaredElsewhere));
    for (const use of keywordUses(root)) this.visit(use);
    for (const { schema, value } of references) {
      const pointer = pointerOf(value);
      const subject = subjects.get(schema);
      if (pointer === undefined || subject?.isNegated !== false) continue;
      const target = findNode(root, pointer);
      join(subject, target && subjects.get(target));
    }
    const anchorsAreUsed = references.some(({ value }) => /^#[^/]/u.test(stringOf(value) ?? ""));
    for (const subject of new Set(subjects.values())) {
      // References by anchor may add anything.
      if (!(anchorsAreUsed && subject.isAnchored)) this.checkRequired(subject);
    }
    // With an `$id`, `#` may not refer to the root.
    if (![...subjects.keys()].some((schema) => schema.kind === "mapping" && schema.get("$id") !== undefined))
      for (const reference of references) this.checkReference(reference);
    return this.found;
  }

  private visit(use: KeywordUse): void {
    const { schema, keyword, value, fits, schemas, nameLists } = use;
    const isReported = schema === this.root && reported.has(keyword);
    const subject = this.subjects.get(schema);
    if (subject === undefined) return;
    noteProperties(subject, use);
    if (keyword === "type") {
      if (!isReported) this.checkType(use);
    } else if (!fits && !isReported) this.wrong(nameOf(use), use.shape.words, value, requiredAdvice(use));
    if (fits && keyword === "$ref") this.references.push(use);
    if (fits && keyword === "pattern") this.checkPattern(() => nameOf(use), value, stringOf(value) ?? "");
    if (fits && keyword === "patternProperties" && value.kind === "mapping")
      for (const { key } of value.entries)
        this.checkPattern(() => `${quoteValue(key.text)} in ${nameOf(use)}`, key, key.text);
    for (const list of nameLists) this.checkNames(use, list, isReported, subject);
    for (const inner of schemas) {
      // A property that `not` requires must be absent.
      const of = sameValueKeywords.has(keyword) ? subject : createSubject(false, keyword === "not");
      if (inner.kind === "mapping") this.subjects.set(inner, of);
      else if (!schemaShape.fits(inner) && !isReported)
        this.wrong(inner === value ? nameOf(use) : describeValue(inner), schemaShape.words, inner);
    }
  }

  private checkNames(use: KeywordUse, list: Node, isReported: boolean, subject: Subject): void {
    const name = () => (list === use.value ? "" : `${describeValue(list)} in `) + nameOf(use);
    if (list.kind !== "sequence") return this.wrong(name(), namesShape.words, list);
    const seen = new Set<string>();
    for (const node of list.items) {
      const text = stringOf(node);
      if (text === undefined) {
        if (!isReported) this.wrong(name(), namesShape.words, node);
      } else if (seen.has(text)) {
        this.found.push({ at: placeOf(node), message: `${name()} names ${quoteValue(text)} twice.` });
      } else {
        seen.add(text);
        if (use.keyword === "required") subject.required.push({ use, node, name: text });
      }
    }
  }

  private checkRequired({ all, isNegated, isObject, refers, required }: Subject): void {
    if (all.isOpen || refers || isNegated || !isObject) return;
    for (const { use, node, name } of required) {
      if (all.declared.has(name)) continue;
      const nearest = this.options.guess(name, all.declared);
      this.found.push({
        at: placeOf(node),
        message: `${nameOf(use)} names ${quoteValue(name)}, which is not in "properties".`,
        ...suggestion(name, nearest, isUniqueTypo(name, nearest ?? "", all.declared)),
      });
    }
  }

  private checkReference(use: KeywordUse): void {
    const pointer = pointerOf(use.value);
    if (pointer === undefined || findNode(this.root, pointer) !== undefined) return;
    const slash = pointer.lastIndexOf("/");
    const holder = findNode(this.root, pointer.slice(0, slash));
    const name = pointer.slice(slash + 1);
    const nearest = this.options.guess(name, namesIn(holder));
    this.found.push({
      at: placeOf(use.value),
      message: `${nameOf(use)} leads to ${quoteValue(`#${pointer}`)}, which does not exist.`,
      ...suggestion(
        `#${pointer}`,
        nearest && `#${pointer.slice(0, slash)}/${nearest}`,
        // A suggestion would have to be escaped again.
        stringOf(use.value) === `#${pointer}` && isUniqueTypo(name, nearest ?? "", namesIn(holder)),
      ),
    });
  }

  private checkPattern(name: () => string, at: Place, pattern: string): void {
    const fault = this.options.patternFault(pattern);
    if (fault === undefined) return;
    const message = `${name()} is not a regular expression${fault === "" ? "" : `: ${fault}`}.`;
    this.found.push({ at, message });
  }

  private checkType(use: KeywordUse): void {
    const { value } = use;
    const seen = new Set<unknown>();
    if (value.kind === "sequence" && value.items.length === 0)
      this.found.push({ at: placeOf(value), message: `${nameOf(use)} is an empty list: name a type.` });
    for (const node of itemsOrSelf(value)) {
      if (!isType(node)) {
        const message = mustBe(nameOf(use), typeList, describeFound(node, this.options.source));
        this.found.push({ at: placeOf(node), wants: "a type", message, ...typeSuggestion(node) });
      } else if (seen.has(node.value)) {
        const message = `${nameOf(use)} names ${quoteValue(String(node.value))} twice.`;
        this.found.push({ at: node, message });
      } else seen.add(node.value);
    }
  }

  private wrong(name: string, words: string, node: Node, advice?: string): void {
    const isEmpty = node.kind === "sequence" && node.items.length === 0;
    const instead = isEmpty ? "an empty list" : describeFound(node, this.options.source);
    // A misplaced value is not wrong in itself.
    const wants = advice === undefined ? words : undefined;
    this.found.push({ at: placeOf(node), wants, message: mustBe(name, words, instead), advice });
  }
}

/** `the "type" of parameter "city"` */
function nameOf({ schema, keyword }: KeywordUse): string {
  return `the ${quoteValue(keyword)} of ${describeValue(schema)}`;
}

/** `required: true` beside the `type` of a parameter comes from other formats. */
function requiredAdvice({ schema, keyword, value }: KeywordUse): string | undefined {
  const isHabit = keyword === "required" && value.kind === "scalar" && typeof value.value === "boolean";
  return isHabit
    ? `To require ${describeValue(schema)}, name it in the "required" of the object that holds it.`
    : undefined;
}

const typeList = joinWords(types.map(quoteValue), "or");

const otherNames = Object.entries({
  string: ["str", "text", "char"],
  integer: ["int", "long"],
  number: ["float", "double", "decimal"],
  boolean: ["bool"],
  array: ["list", "tuple"],
  object: ["dict", "map"],
  null: ["none", "nil"],
});

function typeSuggestion(node: Node): Suggestion {
  const given = stringOf(node) ?? "";
  // A missing value is not the type "null".
  const isWrittenNull = isNull(node) && node.start < node.end;
  const near = isWrittenNull ? "null" : nearestName(given, types);
  const other = otherNames.find(([, names]) => names.includes(given.toLowerCase()))?.[0];
  const isSure = near === undefined || isWrittenNull || isUniqueTypo(given, near, types);
  return suggestion(given, near ?? other, isSure);
}

/** The properties that a schema declares and requires, together with its `allOf`, `then` and the like. */
interface Subject {
  /** Shared by all that references join: one of them may require what another declares. */
  all: {
    readonly declared: Set<string>;
    readonly members: Subject[];
    /** Whether further properties may be declared elsewhere. */
    isOpen: boolean;
  };
  readonly required: { readonly use: KeywordUse; readonly node: Node; readonly name: string }[];
  readonly isNegated: boolean;
  isObject: boolean;
  refers: boolean;
  isAnchored: boolean;
}

function createSubject(isOpen: boolean, isNegated = false): Subject {
  const all: Subject["all"] = { declared: new Set(), members: [], isOpen };
  const subject = { all, required: [], isNegated, isObject: false, refers: false, isAnchored: false };
  all.members.push(subject);
  return subject;
}

/** The target of a `$ref` applies to the same value; an unknown one may declare anything. */
function join(one: Subject, other: Subject | undefined): void {
  if (other === undefined) one.all.isOpen = true;
  if (other === undefined || other.all === one.all) return;
  const [few, many] = sizeOf(other) > sizeOf(one) ? [one.all, other.all] : [other.all, one.all];
  for (const name of few.declared) many.declared.add(name);
  many.isOpen ||= few.isOpen;
  for (const member of few.members) {
    member.all = many;
    many.members.push(member);
  }
}

function sizeOf({ all }: Subject): number {
  return all.declared.size + all.members.length;
}

function noteProperties(subject: Subject, { keyword, value }: KeywordUse): void {
  const { all } = subject;
  switch (keyword) {
    case "type":
      subject.isObject ||= itemsOrSelf(value).some((item) => stringOf(item) === "object");
      return;
    case "properties":
      subject.isObject = true;
      if (value.kind !== "mapping" || isDuplicated(value)) all.isOpen = true;
      else for (const { key } of value.entries) all.declared.add(key.text);
      return;
    case "$ref":
      subject.refers = true;
      all.isOpen ||= !isLocal(value);
      return;
    case "$anchor":
    case "$dynamicAnchor":
      subject.isAnchored = true;
      return;
    case "$dynamicRef":
    case "$recursiveRef":
    case "propertyNames":
      all.isOpen = true;
      return;
    case "patternProperties":
      all.isOpen ||= value.kind === "mapping" && value.entries.length > 0;
      return;
    case "additionalProperties":
    case "unevaluatedProperties":
      all.isOpen ||= value.kind === "mapping";
  }
}

/** Undefined for a reference by anchor or to another file, too. */
function pointerOf(reference: Node): string | undefined {
  try {
    return isLocal(reference) ? decodeURIComponent(reference.value.slice(1)) : undefined;
  } catch {
    return undefined;
  }
}

/** Lazily: only the first thousands are compared. */
function* namesIn(node: Node | undefined): Iterable<string> {
  if (node?.kind === "mapping") for (const { key } of node.entries) yield key.text;
}
