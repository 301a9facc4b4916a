import type { Finding, Place } from "../diagnostic.js";
import { childrenOf, type MappingNode, type Node, placeOf, type ScalarNode } from "../document/node.js";
import { findNode } from "../document/pointers.js";
import { isUniqueTypo, type NameGuess } from "../text/names.js";
import { describeValue } from "./describe-node.js";
import { isLocal, PropertiesOfValue, typeFaults } from "./json-schema-faults.js";
import {
  type KeywordUse,
  namesShape,
  requiredAdvice,
  sameValueKeywords,
  schemaShape,
  type Shape,
  shapeOf,
  subjectOf,
} from "./json-schema-keywords.js";
import { describeFound, quoteValue, suggestion } from "./show-value.js";
import { mustBe } from "./value-messages.js";

interface JsonSchemaOptions {
  /** The text of the file, to quote numbers as written. */
  readonly source: string;
  /** Why a text is not a regular expression. */
  readonly patternFault: (pattern: string) => string | undefined;
  readonly guess: NameGuess;
}

/**
 * Checks that the parameters of a tool are a JSON Schema. The pack's schema covers their own `type`, `properties` and
 * `required`. Unknown keywords are allowed, as in JSON Schema.
 */
export function jsonSchemaFindings(parameters: MappingNode, options: JsonSchemaOptions): readonly Finding[] {
  return new Walk(parameters, options).findings();
}

/** A schema, and the properties known of the value it applies to. */
interface Visit {
  readonly schema: MappingNode;
  readonly properties: PropertiesOfValue;
}

interface Part extends Visit, KeywordUse {}

/** Covered by the pack's schema. */
const reported: ReadonlySet<string> = new Set(["type", "properties", "required"]);

/** Uses an explicit stack, so depth is not limited. */
class Walk {
  private readonly found: Finding[] = [];
  private readonly open: Visit[] = [];
  /** In document order. */
  private readonly values = new Map<Node, PropertiesOfValue>();
  private readonly references: LocalReference[] = [];
  private readonly dialect: string;
  private anchorsAreUsed = false;
  /** With an `$id`, `#` may not refer to the root. */
  private hasId = false;

  constructor(
    private readonly root: MappingNode,
    private readonly options: JsonSchemaOptions,
  ) {
    const named = root.get("$schema");
    this.dialect = named?.kind === "scalar" ? String(named.value) : "";
    const isMissing = root.get("properties") === undefined && root.get("$ref") === undefined;
    this.enter(root, new PropertiesOfValue(isMissing));
  }

  findings(): readonly Finding[] {
    for (let visit = this.open.pop(); visit !== undefined; visit = this.open.pop()) this.visit(visit);
    for (const { schema, pointer } of this.references) {
      const target = findNode(this.root, pointer);
      this.values.get(schema)?.join(target && this.values.get(target));
    }
    for (const properties of new Set(this.values.values())) {
      for (const { schema, node, name } of properties.absent(this.anchorsAreUsed)) {
        const subject = subjectOf({ schema, keyword: "required" });
        const nearest = this.options.guess(name, properties.names());
        this.found.push({
          at: node,
          message: `${subject} names ${quoteValue(name)}, which is not in "properties".`,
          ...suggestion(name, nearest, isUniqueTypo(name, nearest ?? "", properties.names())),
        });
      }
    }
    for (const reference of this.hasId ? [] : this.references) {
      const finding = danglingFinding(subjectOf(reference), this.root, reference, this.options.guess);
      if (finding !== undefined) this.found.push(finding);
    }
    return this.found;
  }

  private enter(schema: MappingNode, properties: PropertiesOfValue): void {
    properties.add(schema);
    this.values.set(schema, properties);
    this.open.push({ schema, properties });
  }

  private visit({ schema, properties }: Visit): void {
    for (const { key, value } of schema.entries) {
      const keyword = key.text;
      const shape = shapeOf(keyword, this.dialect);
      if (shape === undefined) continue;
      if (keyword === "$id") this.hasId = true;
      const part = { schema, properties, keyword, value };
      if (shape.fits(value)) this.look(part, shape);
      else if (!this.isReported(part)) this.wrong(subjectOf(part), shape, value, requiredAdvice(part));
    }
  }

  private isReported({ schema, keyword }: Part): boolean {
    return schema === this.root && reported.has(keyword);
  }

  private look(part: Part, { inside }: Shape): void {
    const { schema, keyword, value } = part;
    switch (inside) {
      case undefined:
        return;
      case "type":
        if (this.isReported(part)) return;
        for (const { node, ...fault } of typeFaults(() => subjectOf(part), value, this.options.source))
          this.found.push({ at: placeOf(node), ...fault });
        return;
      case "names":
        this.names(part, value);
        return;
      case "dependencies":
        for (const child of childrenOf(value)) {
          const isNames = child.kind === "sequence" || keyword === "dependentRequired";
          if (isNames) this.names(part, child);
          else this.subschema(part, child);
        }
        return;
      case "pattern":
        if (value.kind === "scalar") this.pattern(() => subjectOf(part), value, String(value.value));
        return;
      case "reference":
        this.references.push(...localReferences(schema, value));
        this.anchorsAreUsed ||= isByName(value);
        return;
      case "schema":
        for (const child of value.kind === "sequence" ? value.items : [value]) this.subschema(part, child);
        return;
      case "schemas":
        if (keyword === "patternProperties") this.patternKeys(part);
        for (const child of childrenOf(value)) this.subschema(part, child);
        return;
    }
  }

  private subschema(part: Part, node: Node): void {
    if (node.kind === "mapping") this.enter(node, this.propertiesFor(part));
    else if (!schemaShape.fits(node) && !this.isReported(part)) {
      const subject = node === part.value ? subjectOf(part) : describeValue(node);
      this.wrong(subject, schemaShape, node);
    }
  }

  private propertiesFor({ keyword, properties }: Part): PropertiesOfValue {
    if (sameValueKeywords.has(keyword)) return properties;
    // What `not` requires must be absent.
    return new PropertiesOfValue(false, keyword === "not");
  }

  private names(part: Part, list: Node): void {
    const { schema, keyword, properties } = part;
    const subject = () => (list === part.value ? "" : `${describeValue(list)} in `) + subjectOf(part);
    if (list.kind !== "sequence") {
      this.wrong(subject(), namesShape, list);
      return;
    }
    const seen = new Set<string>();
    for (const node of list.items) {
      if (node.kind !== "scalar" || typeof node.value !== "string") {
        if (!this.isReported(part)) this.wrong(subject(), namesShape, node);
      } else if (seen.has(node.value)) {
        this.found.push({ at: node, message: `${subject()} names ${quoteValue(node.value)} twice.` });
      } else {
        seen.add(node.value);
        if (keyword === "required") properties.require({ schema, node, name: node.value });
      }
    }
  }

  private pattern(subject: () => string, at: Place, pattern: string): void {
    const fault = this.options.patternFault(pattern);
    if (fault === undefined) return;
    const message = `${subject()} is not a regular expression${fault === "" ? "" : `: ${fault}`}.`;
    this.found.push({ at, message });
  }

  private patternKeys(part: Part): void {
    for (const { key } of part.value.kind === "mapping" ? part.value.entries : [])
      this.pattern(() => `${quoteValue(key.text)} in ${subjectOf(part)}`, key, key.text);
  }

  private wrong(subject: string, { words }: Shape, node: Node, advice?: string): void {
    const isEmpty = node.kind === "sequence" && node.items.length === 0;
    const instead = isEmpty ? "an empty list" : describeFound(node, this.options.source);
    // A misplaced value is not wrong in itself.
    const wants = advice === undefined ? words : undefined;
    this.found.push({ at: placeOf(node), wants, message: mustBe(subject, words, instead), advice });
  }
}

/** A `$ref` of the form `#/…`, into the same schema. */
interface LocalReference {
  readonly keyword: "$ref";
  readonly schema: MappingNode;
  readonly node: ScalarNode;
  readonly pointer: string;
}

function isByName(node: Node): boolean {
  return node.kind === "scalar" && /^#[^/]/u.test(String(node.value));
}

function localReferences(schema: MappingNode, node: Node): readonly LocalReference[] {
  if (!isLocal(node)) return [];
  try {
    return [{ keyword: "$ref", schema, node, pointer: decodeURIComponent(node.value.slice(1)) }];
  } catch {
    return [];
  }
}

/** Undefined if the reference resolves. */
function danglingFinding(
  subject: string,
  root: Node,
  reference: LocalReference,
  guess: NameGuess,
): Finding | undefined {
  const { pointer, node } = reference;
  if (findNode(root, pointer) !== undefined) return undefined;
  const slash = pointer.lastIndexOf("/");
  const holder = findNode(root, pointer.slice(0, slash));
  const name = pointer.slice(slash + 1);
  const nearest = guess(name, namesIn(holder));
  return {
    at: node,
    message: `${subject} leads to ${quoteValue(`#${pointer}`)}, which does not exist.`,
    ...suggestion(
      `#${pointer}`,
      nearest && `#${pointer.slice(0, slash)}/${nearest}`,
      // A suggestion would have to be escaped again.
      node.value === `#${pointer}` && isUniqueTypo(name, nearest ?? "", namesIn(holder)),
    ),
  };
}

/** Lazily: only the first thousands are compared. */
function* namesIn(node: Node | undefined): Iterable<string> {
  if (node?.kind === "mapping") for (const { key } of node.entries) yield key.text;
}
