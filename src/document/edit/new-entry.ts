import { type QuoteStyle, formatScalar } from "./spell-scalar.js";

/** An entry that is to be written, and what it holds. */
export interface NewEntry {
  readonly name: string;
  readonly value: NewValue;
}

export type NewValue = string | boolean | readonly NewEntry[];

/** How entries on one line are written. */
export interface InlineStyle {
  readonly isJson: boolean;
  readonly colon: string;
  readonly comma: string;
  /** Between a brace and what it holds. */
  readonly padding: string;
}

/** The lines of a block, without line breaks. */
export function yamlBlockLines(entries: readonly NewEntry[], indent: string, unit: string): readonly string[] {
  return entries.flatMap(({ name, value }) => {
    const key = `${indent}${formatScalar(name, "plain")}:`;
    if (!isEntryList(value)) return [`${key} ${scalarText(value, "line")}`];
    return value.length === 0 ? [`${key} {}`] : [key, ...yamlBlockLines(value, indent + unit, unit)];
  });
}

/** Lines of JSON; only the last of an entry lacks its comma, if more follow. */
export function jsonLines(entries: readonly NewEntry[], indent: string, unit: string): readonly string[] {
  return entries.flatMap(({ name, value }, index) => {
    const comma = index < entries.length - 1 ? "," : "";
    const key = `${indent}${JSON.stringify(name)}: `;
    if (!isEntryList(value)) return [`${key}${scalarText(value, "json")}${comma}`];
    if (value.length === 0) return [`${key}{}${comma}`];
    return [`${key}{`, ...jsonLines(value, indent + unit, unit), `${indent}}${comma}`];
  });
}

export function inlineText(entries: readonly NewEntry[], style: InlineStyle): string {
  return entries
    .map(({ name, value }) => {
      const quoting = style.isJson ? "json" : "plain";
      const key = formatScalar(name, quoting);
      return `${key}${style.colon}${isEntryList(value) ? bracedText(value, style) : scalarText(value, quoting)}`;
    })
    .join(style.comma);
}

export function bracedText(entries: readonly NewEntry[], style: InlineStyle): string {
  return entries.length === 0 ? "{}" : `{${style.padding}${inlineText(entries, style)}${style.padding}}`;
}

function isEntryList(value: NewValue): value is readonly NewEntry[] {
  return typeof value === "object";
}

function scalarText(value: string | boolean, quoting: QuoteStyle): string {
  return typeof value === "boolean" ? String(value) : formatScalar(value, quoting);
}
