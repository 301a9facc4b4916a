/** The delimiters around a reference. */
export type Syntax = { readonly open: string; readonly close: string };

const known: readonly Syntax[] = [
  { open: "{{", close: "}}" },
  { open: "${", close: "}" },
  { open: "{", close: "}" },
];

const placeholder = /^[\p{L}_][\p{L}\p{N}_.-]*$/u;

/** From a sample such as `{{variable}}`, whatever its placeholder is called; nothing when it is not understood. */
export function syntaxOf(declared: string): Syntax | undefined {
  const sample = declared.trim();
  return known.find(
    ({ open, close }) =>
      sample.startsWith(open) &&
      sample.endsWith(close) &&
      placeholder.test(sample.slice(open.length, -close.length).trim()),
  );
}
