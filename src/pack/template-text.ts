import type { Place } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import type { Span } from "../document/node.js";
import { type JinjaBlock, jinjaBlocks } from "../template/jinja-blocks.js";
import { inOtherDelimiters } from "../template/other-delimiters.js";
import {
  readTemplate,
  type Reference,
  shownText,
  type Syntax,
  type Template,
} from "../template/read-template.js";
import type { Text } from "../document/spelled-values.js";

const longestComment = 1_000;

const nothing: Template = { references: [], faults: [] };

/** A string of the pack that a runtime fills in: read only when somebody asks. */
export class TemplateText {
  private read: Template | undefined;
  private jinja: readonly JinjaBlock[] | undefined;
  private others: ReadonlyMap<string, string> | undefined;
  private commented: readonly Reference[] | undefined;

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

  /** Only of tags `{{x}}` they are easily taken for a part. */
  get jinjaBlocks(): readonly JinjaBlock[] {
    this.jinja ??= this.syntax?.open === "{{" ? jinjaBlocks(this.text.text) : [];
    return this.jinja;
  }

  /** What it has in the delimiters of other syntaxes: by the name or the path in them, how it is written. */
  get foreign(): ReadonlyMap<string, string> {
    this.others ??= this.syntax === undefined ? new Map() : inOtherDelimiters(this.text.text, this.syntax);
    return this.others;
  }

  /** The comment that ends a plain text of YAML on its last line, as any `#` behind a space does. */
  get comment(): string {
    const { style, end } = this.text.node.source;
    if (style !== "plain") return "";
    return /^[ \t]+(#.*)/.exec(this.document.text.slice(end, end + longestComment))?.[1] ?? "";
  }

  get referencesInComment(): readonly Reference[] {
    this.commented ??= this.syntax === undefined ? [] : readTemplate(this.comment, this.syntax).references;
    return this.commented;
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
