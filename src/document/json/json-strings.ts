import { jsonFault, type Problem } from "./json-words.js";
import { Refusal } from "../refusal.js";
import { faultInString } from "./string-fault.js";

/** What makes a string more than the text between two quotes. */
const unusual = /[\\\0-\t\v-\x1f]/;

/** Reads the strings of a JSON text. */
export class JsonStrings {
  /** Behind the closing quote of the string that was read last. */
  end = 0;
  /** The first line break behind the string that was read last, or nearer: no string reaches past it. */
  private lineEnd = -1;

  /** `isPlain`: the text has no backslash and no control character but line breaks. */
  constructor(
    private readonly text: string,
    private readonly isPlain = false,
  ) {}

  static of(text: string): JsonStrings {
    return new JsonStrings(text, !unusual.test(text));
  }

  /** The string whose opening quote stands at `quote`. */
  read(quote: number): string {
    return this.isPlain ? this.readPlain(quote) : this.readAny(quote);
  }

  /** It ends at the next quote, on the same line. */
  private readPlain(quote: number): string {
    const { text } = this;
    const end = text.indexOf('"', quote + 1);
    if (this.lineEnd < quote) {
      const found = text.indexOf("\n", quote);
      this.lineEnd = found === -1 ? text.length : found;
    }
    if (end === -1 || end > this.lineEnd) this.fail(quote);
    this.end = end + 1;
    return text.slice(quote + 1, end);
  }

  private readAny(quote: number): string {
    const { text } = this;
    let at = quote + 1;
    let isEscaped = false;
    for (let code = text.charCodeAt(at); code !== 34; code = text.charCodeAt(++at)) {
      // Not a comparison with 32 alone: past the end of the text the code is NaN.
      if (!(code >= 32)) this.fail(quote);
      if (code === 92) {
        isEscaped = true;
        at++;
      }
    }
    this.end = at + 1;
    return isEscaped ? this.unescape(quote) : text.slice(quote + 1, at);
  }

  private unescape(quote: number): string {
    try {
      return String(JSON.parse(this.text.slice(quote, this.end)));
    } catch {
      return this.fail(quote);
    }
  }

  private fail(quote: number): never {
    const unknown: Problem = { problem: "symbol", start: quote, end: this.end };
    throw Refusal.ofSyntaxFault(jsonFault(this.text, faultInString(this.text, quote) ?? unknown));
  }
}
