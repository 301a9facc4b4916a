import type { Span } from "../diagnostic.js";

/** In the template string. */
export type { Span };

/** What a template string refers to, and what is wrong with it, both in the order of the text. */
export interface Template {
  readonly references: readonly Reference[];
  readonly errors: readonly TemplateError[];
}

/** `start` and `end` are what to underline: a variable's name, or the whole of `artifacts.x`. */
export interface Reference extends Span {
  /** `{{x}}`; `{{fragments.x}}`, `{{fragment:x}}` or `{{> x}}`; `{{artifacts.x}}`. */
  readonly kind: "name" | "fragment" | "artifact";
  /** `user` of `user.profile.name`, `x` of `artifacts.x`; more where a longer name is known. */
  readonly name: string;
  /** Just the name, for a fix. */
  readonly nameStart: number;
  readonly nameEnd: number;
  /**
   * It may be something else than what the prompt declares: a field of the item inside `{{#each}}`, a word of
   * prose, an argument. It counts as a use of what it names, and is no mistake when it names nothing.
   */
  readonly local?: true;
  /** Those of a name that is written with spaces, if it is one: `customer` and `name` of `{{customer name}}`. */
  readonly words?: readonly string[];
  /** A fragment included where its names may mean something else: inside `{{#each}}`, or with arguments. */
  readonly scoped?: true;
}

/** Names that do not look like one: `shared.header`, `test report`, `2nd`. */
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
  /** What could not be told for a reference without being known. */
  readonly irregularNames?: () => IrregularNames;
}

/** Where a pack declares none. */
export const defaultSyntax: Syntax = { open: "{{", close: "}}" };

/** Those that are understood; of two that begin alike, the longer one first. */
export const supportedSyntaxes: readonly Syntax[] = [
  defaultSyntax,
  { open: "${", close: "}" },
  { open: "{", close: "}" },
];

const asciiPlaceholder = /^[A-Za-z_][\w.-]*$/;
const unicodePlaceholder = () => /^[\p{L}_][\p{L}\p{N}_.-]*$/u;

/** From a sample such as `{{variable}}`, whatever its placeholder is called; nothing when it is not understood. */
export function parseSyntax(declared: string): Syntax | undefined {
  const sample = declared.trim();
  return supportedSyntaxes.find(
    ({ open, close }) =>
      sample.startsWith(open) &&
      sample.endsWith(close) &&
      isPlaceholderName(sample.slice(open.length, -close.length).trim()),
  );
}

function isPlaceholderName(name: string): boolean {
  return asciiPlaceholder.test(name) || unicodePlaceholder().test(name);
}
