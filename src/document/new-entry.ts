import { escapeCharacter } from "../text/escape.js";
import { booleanWord } from "../text/parse-scalar.js";

export interface NewEntry {
  readonly name: string;
  readonly value: NewValue;
}

type NewValue = string | number | boolean | readonly NewEntry[];

export interface InlineStyle {
  readonly isJson: boolean;
  readonly colon: string;
  readonly comma: string;
  /** Inside the braces. */
  readonly padding: string;
}

export function yamlBlockLines(
  entries: readonly NewEntry[],
  indent: string,
  unit: string,
): readonly string[] {
  return entries.flatMap(({ name, value }) => {
    const key = `${indent}${formatScalar(name, "plain")}:`;
    if (!isEntryList(value)) return [`${key} ${scalarText(value, "line")}`];
    return value.length === 0 ? [`${key} {}`] : [key, ...yamlBlockLines(value, indent + unit, unit)];
  });
}

/** The last entry has no comma. */
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
  const quoting = style.isJson ? "json" : "plain";
  const written = entries.map(({ name, value }) => {
    const text = isEntryList(value) ? bracedText(value, style) : scalarText(value, quoting);
    return formatScalar(name, quoting) + style.colon + text;
  });
  return written.join(style.comma);
}

export function bracedText(entries: readonly NewEntry[], style: InlineStyle): string {
  return entries.length === 0 ? "{}" : `{${style.padding}${inlineText(entries, style)}${style.padding}}`;
}

function isEntryList(value: NewValue): value is readonly NewEntry[] {
  return typeof value === "object";
}

function scalarText(value: string | number | boolean, quoting: QuoteStyle): string {
  return typeof value === "string" ? formatScalar(value, quoting) : String(value);
}

/** "line" allows sentences without quotes, which "plain" does not, as between braces. */
type QuoteStyle = "plain" | "line" | "single" | "double" | "json";

/** Uses the given quoting if it can represent the text, or else double quotes. */
export function formatScalar(text: string, quoting: QuoteStyle): string {
  if (quoting === "json") return JSON.stringify(text);
  if ((quoting === "plain" || quoting === "line") && isSafePlainScalar(text)) return text;
  if (quoting === "line" && isSentence(text)) return text;
  if (quoting === "single" && text.search(unprintablePattern()) === -1)
    return `'${text.replaceAll("'", "''")}'`;
  // A JSON string is a YAML string, except for characters that YAML requires to be escaped.
  return JSON.stringify(text).replace(unprintablePattern(), escapeCharacter);
}

/** The quoting of a scalar that starts with this character; undefined for a block scalar or an alias. */
export function quoteStyleAt(first: string): QuoteStyle | undefined {
  if (first === '"') return "double";
  if (first === "'") return "single";
  return "|>*".includes(first) ? undefined : "plain";
}

const unprintablePattern = () => /[\p{Cc}\p{Cs}\u2028\u2029\ufeff\ufffe\uffff]/gu;

const plainScalarPattern = () => /^(?:\/|(?:\.\.?\/)+)?[\p{L}_$][\p{L}\p{N}_./+-]*(?: [\p{L}\p{N}_./+-]+)*$/u;

/** Whether a text certainly needs no quotes, in any context of YAML 1.1 or 1.2. */
function isSafePlainScalar(text: string): boolean {
  const isReserved = booleanWord.test(text) || /^null$/i.test(text);
  return plainScalarPattern().test(text) && !/ [-+./]/.test(text) && !isReserved;
}

/** Words and harmless punctuation only: `Counts (passed, failed), one per line`. */
function isSentence(text: string): boolean {
  return /^[\p{L}(][\p{L}\p{M}\p{N}_./()]*[,;]?(?: (?:[—–]|[\p{L}\p{N}(][\p{L}\p{M}\p{N}_./()'’-]*[,;]?))+$/u.test(
    text,
  );
}
