import type { Place } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import type { LocatedString, Node, Span } from "../document/node.js";
import {
  literalText,
  readTemplate,
  type Reference,
  type Syntax,
  type Template,
} from "../template/read-template.js";

const emptyTemplate: Template = { references: [], errors: [] };

/** A string of the pack that a runtime fills in: read only when somebody asks. */
export class TemplateText {
  private parsed: Template | undefined;

  /** Without a `syntax` the delimiters are not understood, and the template says nothing. */
  constructor(
    readonly text: LocatedString,
    private readonly syntax: Syntax | undefined,
    private readonly document: Document,
  ) {}

  get template(): Template {
    this.parsed ??= this.syntax === undefined ? emptyTemplate : readTemplate(this.text.text, this.syntax);
    return this.parsed;
  }

  /** What the model reads of it as it stands: no comments, and neither the names of artifacts nor of fragments. */
  get literalText(): string {
    const replaced = this.template.references.filter(({ kind }) => kind !== "name");
    return this.syntax === undefined ? this.text.text : literalText(this.text.text, this.syntax, replaced);
  }

  /** Where the string is spelled: one place for all aliases of an anchor. */
  get sourceStart(): number {
    return this.text.node.source.start;
  }

  /** Where a part of the string stands in the file. */
  placeOf(part: Span): Place {
    return this.document.placeWithin(this.text.node, part.start, part.end);
  }
}

/** Words about the pack: what they name is not used by that. */
const proseKeys = new Set(["description", "example"]);

/** The condition of an eval, which names variables as they are. */
const conditionKey = "when";

export type NameSet = Pick<ReadonlySet<string>, "has" | "size">;

interface PendingNode {
  readonly node: Node;
  readonly isCondition: boolean;
}

/** The names that any string inside a node refers to, be it a template or the parameter of an eval or validator. */
export function referencedNames(node: Node, syntax: Syntax, kinds: readonly Reference["kind"][]): NameSet {
  const names = new Set<string>();
  const open: PendingNode[] = [{ node, isCondition: false }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node: part, isCondition } = next;
    if (part.kind === "mapping") {
      for (const { key, value } of part.entries) {
        if (proseKeys.has(key.text)) continue;
        if (isCondition) names.add(key.text);
        open.push({ node: value, isCondition: isCondition || key.text === conditionKey });
      }
    } else if (part.kind === "sequence") {
      for (const item of part.items) open.push({ node: item, isCondition });
    } else if (typeof part.value === "string") {
      if (isCondition) names.add(part.value);
      for (const { kind, name } of readTemplate(part.value, syntax).references) {
        if (kinds.includes(kind)) names.add(name);
      }
    }
  }
  return names;
}
