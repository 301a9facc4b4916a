import type { Place } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import type { Span } from "../document/node.js";
import {
  readTemplate,
  shownText,
  type Syntax,
  type Template,
} from "../template/read-template.js";
import type { Text } from "../document/spelled-values.js";

const nothing: Template = { references: [], faults: [] };

/** A string of the pack that a runtime fills in: read only when somebody asks. */
export class TemplateText {
  private read: Template | undefined;

  /** Without a `syntax` the delimiters are not understood, and the template says nothing. */
  constructor(
    readonly text: Text,
    private readonly syntax: Syntax | undefined,
    private readonly document: Document,
  ) {}

  get template(): Template {
    this.read ??= this.syntax === undefined ? nothing : readTemplate(this.text.text, this.syntax);
    return this.read;
  }

  /** What the model reads of it as it stands: no comments, and neither the names of artifacts nor of fragments. */
  get shown(): string {
    const replaced = this.template.references.filter(({ kind }) => kind !== "name");
    return this.syntax === undefined ? this.text.text : shownText(this.text.text, this.syntax, replaced);
  }

  /** Where the string is spelled: one place for all aliases of an anchor. */
  get origin(): number {
    return this.text.node.source.start;
  }

  /** Where a part of the string stands in the file. */
  placeOf(part: Span): Place {
    return this.document.within(this.text.node, part.start, part.end);
  }
}
