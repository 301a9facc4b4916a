import { escapeCharacter } from "../../words/escape-character.js";
import { booleanWord } from "../../words/truth-word.js";

/** A sentence is plain as the rest of a line; between braces it may not be. */
export type QuoteStyle = "plain" | "line" | "single" | "double" | "json";

/** A text as a file would spell it: in the quoting asked for where that can hold it, or else in double quotes. */
export function formatScalar(text: string, quoting: QuoteStyle): string {
  if (quoting === "json") return JSON.stringify(text);
  if ((quoting === "plain" || quoting === "line") && isSafePlainScalar(text)) return text;
  if (quoting === "line" && isSentence(text)) return text;
  if (quoting === "single" && text.search(unprintablePattern()) === -1) return `'${text.replaceAll("'", "''")}'`;
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
