import { escapeCharacter } from "../text/escape.js";
import { booleanWord } from "../text/parse-scalar.js";

/** An entry that is to be written, and what it holds. */
export interface NewEntry {
  readonly name: string;
  readonly value: NewValue;
}

type NewValue = string | boolean | readonly NewEntry[];

/** How entries on one line are written. */
export interface InlineStyle {
  readonly isJson: boolean;
  readonly colon: string;
  readonly comma: string;
  /** Between a brace and what it holds. */
  readonly padding: string;
}

/** The lines of a block, without line breaks. */
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

/** A sentence is plain as the rest of a line; between braces it may not be. */
type QuoteStyle = "plain" | "line" | "single" | "double" | "json";

/** A text as a file would spell it: in the quoting asked for where that can hold it, or else in double quotes. */
export function formatScalar(text: string, quoting: QuoteStyle): string {
  if (quoting === "json") return JSON.stringify(text);
  if ((quoting === "plain" || quoting === "line") && isSafePlainScalar(text)) return text;
  if (quoting === "line" && isSentence(text)) return text;
  if (quoting === "single" && text.search(unprintablePattern()) === -1)
    return `'${text.replaceAll("'", "''")}'`;
  // A JSON string is a YAML string, but for characters that YAML wants escaped.
  return JSON.stringify(text).replace(unprintablePattern(), escapeCharacter);
}

/** The quoting of a key or value that begins with this character; nothing for a block of text or an alias. */
export function quoteStyleAt(first: string): QuoteStyle | undefined {
  if (first === '"') return "double";
  if (first === "'") return "single";
  return "|>*".includes(first) ? undefined : "plain";
}

const unprintablePattern = () => /[\p{Cc}\p{Cs}\u2028\u2029\ufeff\ufffe\uffff]/gu;

const plainScalarPattern = () => /^(?:\/|(?:\.\.?\/)+)?[\p{L}_$][\p{L}\p{N}_./+-]*(?: [\p{L}\p{N}_./+-]+)*$/u;
/** Words that YAML, or YAML as it once was, takes for something else than text. */
const isReservedWord = (text: string) => booleanWord.test(text) || /^null$/i.test(text);

/** Whether a text means itself without quotes, wherever it stands. Says no where it would take thought. */
function isSafePlainScalar(text: string): boolean {
  return plainScalarPattern().test(text) && !/ [-+./]/.test(text) && !isReservedWord(text);
}

/** Whether a text is nothing but words and what stands between them: `Counts (passed, failed), one per line`. */
function isSentence(text: string): boolean {
  return /^[\p{L}(][\p{L}\p{M}\p{N}_./()]*[,;]?(?: (?:[—–]|[\p{L}\p{N}(][\p{L}\p{M}\p{N}_./()'’-]*[,;]?))+$/u.test(
    text,
  );
}
