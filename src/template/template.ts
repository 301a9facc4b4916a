import type { Span } from "../diagnostic.js";

/** References and errors, both in text order; offsets count from the start of the template string. */
export interface Template {
  readonly references: readonly Reference[];
  readonly errors: readonly TemplateError[];
}

/** `start` and `end` are the range to underline: a variable's name, or the whole of `artifacts.x`. */
export interface Reference extends Span {
  /** `{{x}}`; `{{fragments.x}}`, `{{fragment:x}}` or `{{> x}}`; `{{artifacts.x}}`. */
  readonly kind: "name" | "fragment" | "artifact";
  /** `user` of `user.profile.name`, `x` of `artifacts.x`; longer if an irregular name matches. */
  readonly name: string;
  /** The range of the name alone, for fixes. */
  readonly nameStart: number;
  readonly nameEnd: number;
  /**
   * Possibly a field of an `{{#each}}` item, a word of prose or an argument. It counts as a use of a declared name, but
   * is not an error if nothing has this name.
   */
  readonly local?: true;
  /** A fragment included inside `{{#each}}` or with arguments, which may redefine the names it reads. */
  readonly scoped?: true;
}

/** Declared names that are not identifiers: `shared.header`, `test report`, `2nd`. */
export interface IrregularNames {
  readonly fragment: ReadonlySet<string>;
  readonly artifact: ReadonlySet<string>;
}

export interface TemplateError extends Span {
  readonly message: string;
}

/** The delimiters around a reference. */
export interface Syntax {
  readonly open: string;
  readonly close: string;
  readonly irregularNames?: () => IrregularNames;
}

/** Used when a pack declares no syntax. */
export const defaultSyntax: Syntax = { open: "{{", close: "}}" };

/** Longest match first. */
const supportedSyntaxes: readonly Syntax[] = [
  defaultSyntax,
  { open: "${", close: "}" },
  { open: "{", close: "}" },
];

const asciiPlaceholder = /^[A-Za-z_][\w.-]*$/;
/** Compiled on demand: property escapes are slow to compile. */
const unicodePlaceholder = () => /^[\p{L}_][\p{L}\p{N}_.-]*$/u;

/** Engines whose references look like `{{variable}}`; `{{}}` is the sample without a name. */
const engineNames =
  /^(?:\{\{\s*\}\}|handlebars|mustache|jinja2?|nunjucks|liquid|double[ _-](?:brace|curly)s?)$/i;

/** Whether an engine is named, rather than a sample given, that may use the default syntax. */
export function namesDefaultSyntax(declared: string): boolean {
  return engineNames.test(declared.trim());
}

/** The syntax of a sample such as `{{variable}}`, whatever its placeholder is called. */
export function parseSyntax(declared: string): Syntax | undefined {
  const sample = declared.trim();
  return supportedSyntaxes.find(({ open, close }) => {
    if (!sample.startsWith(open) || !sample.endsWith(close)) return false;
    const name = sample.slice(open.length, -close.length).trim();
    return asciiPlaceholder.test(name) || unicodePlaceholder().test(name);
  });
}

/** Reading stops here: a text with more errors is probably not a template. */
export const maxTemplateErrors = 1_000;

/** Shortens a name for use in a message. */
export function truncateName(name: string): string {
  return name.length > 60 ? `${name.slice(0, 60)}…` : name;
}
