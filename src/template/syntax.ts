import type { OddNames } from "./template.js";

/** The delimiters around a reference. */
export interface Syntax {
  readonly open: string;
  readonly close: string;
  /** What could not be told for a reference without being known. */
  readonly oddNames?: () => OddNames;
}

/** Where a pack declares none. */
export const usualSyntax: Syntax = { open: "{{", close: "}}" };

/** Those that are understood; of two that begin alike, the longer one first. */
export const syntaxes: readonly Syntax[] = [
  usualSyntax,
  { open: "${", close: "}" },
  { open: "{", close: "}" },
];

const usual = /^[A-Za-z_][\w.-]*$/;
const placeholder = () => /^[\p{L}_][\p{L}\p{N}_.-]*$/u;

/** From a sample such as `{{variable}}`, whatever its placeholder is called; nothing when it is not understood. */
export function syntaxOf(declared: string): Syntax | undefined {
  const sample = declared.trim();
  return syntaxes.find(
    ({ open, close }) =>
      sample.startsWith(open) &&
      sample.endsWith(close) &&
      isPlaceholder(sample.slice(open.length, -close.length).trim()),
  );
}

function isPlaceholder(name: string): boolean {
  return usual.test(name) || placeholder().test(name);
}
