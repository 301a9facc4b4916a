import type { Place } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import type { Span } from "../document/node.js";
import {
  readTemplate,
  literalText,
  type Syntax,
  type Template,
} from "../template/read-template.js";
import type { LocatedString } from "../document/spelled-values.js";

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
