import type { IrregularNames } from "./template.js";

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
