import type { Place } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import { type Key, LocatedString, type Node, type Span } from "../document/node.js";
import {
  literalText,
  readTemplate,
  type Reference,
  type Syntax,
  type Template,
} from "../template/read-template.js";

const emptyTemplate: Template = { references: [], errors: [] };

/** A template, parsed on first use. */
export class TemplateText {
  private parsed: Template | undefined;

  /** Without a `syntax` the template counts as plain text. */
  constructor(
    readonly text: LocatedString,
    private readonly syntax: Syntax | undefined,
    private readonly document: Document,
  ) {}

  get template(): Template {
    this.parsed ??= this.syntax === undefined ? emptyTemplate : readTemplate(this.text.text, this.syntax);
    return this.parsed;
  }

  /** The literal text for the model, without comments and without the names of artifacts and fragments. */
  get literalText(): string {
    const replaced = this.template.references.filter(({ kind }) => kind !== "name");
    return this.syntax === undefined ? this.text.text : literalText(this.text.text, this.syntax, replaced);
  }

  /** The offset of the string, the same for all aliases of an anchor. */
  get sourceStart(): number {
    return this.text.node.source.start;
  }

  placeOf(part: Span): Place {
    return this.document.placeWithin(this.text.node, part.start, part.end);
  }
}

/** Prose: naming something there does not use it. */
const proseKeys = new Set(["description", "example"]);

/** The condition of an eval names variables without delimiters. */
const conditionKey = "when";

export type NameSet = Pick<ReadonlySet<string>, "has" | "size">;

/** A reference in a string, or a whole key or string of a condition. */
type StringReference =
  | { readonly source: LocatedString; readonly reference: Reference }
  | { readonly source: LocatedString | Key; readonly reference?: undefined };

/** What the strings inside a node refer to: a template, or a parameter of an eval or validator. */
export function* stringReferences(node: Node, syntax: Syntax): Generator<StringReference> {
  const open: { readonly node: Node; readonly isCondition: boolean }[] = [{ node, isCondition: false }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node: part, isCondition } = next;
    if (part.kind === "mapping") {
      for (const { key, value } of part.entries) {
        if (proseKeys.has(key.text)) continue;
        if (isCondition) yield { source: key };
        open.push({ node: value, isCondition: isCondition || key.text === conditionKey });
      }
    } else if (part.kind === "sequence") {
      for (const item of part.items) open.push({ node: item, isCondition });
    } else {
      const source = LocatedString.of(part);
      if (source === undefined) continue;
      if (isCondition) yield { source };
      for (const reference of readTemplate(source.text, syntax).references) yield { source, reference };
    }
  }
}

export function referencedNames(node: Node, syntax: Syntax, kinds: readonly Reference["kind"][]): NameSet {
  const names = new Set<string>();
  for (const { source, reference } of stringReferences(node, syntax)) {
    if (reference === undefined) names.add(source.text);
    else if (kinds.includes(reference.kind)) names.add(reference.name);
  }
  return names;
}
