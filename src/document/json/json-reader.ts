import type { DuplicateKey, Limits } from "../document.js";
import { endOfToken, type JsonContainer, jsonFault, type JsonProblem } from "./json-words.js";
import { Key, ScalarNode, type Node, type ScalarValue } from "../node.js";
import { MappingBuilder, SequenceBuilder } from "../open-collection.js";
import { endOfMatch } from "../scan-text.js";
import { ParseError, nestedTooDeep, tooManyValues } from "../refusal.js";
import { findStringProblem } from "./string-fault.js";

const numberPattern = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
const literals: readonly (readonly [string, ScalarValue])[] = [
  ["true", true],
  ["false", false],
  ["null", null],
];

/**
 * Reads any JSON, and says where it is broken. By hand: no library gives positions at a speed near JSON.parse's, and none
 * that recurses survives deep nesting.
 */
export class JsonReader {
  readonly duplicates: DuplicateKey[] = [];
  private readonly open: (MappingBuilder | SequenceBuilder)[] = [];
  private top: MappingBuilder | SequenceBuilder | undefined;
  /** How many were read. */
  valueCount = 0;

  constructor(
    private readonly text: string,
    private readonly limits: Limits,
    /** Where reading begins; what stands before is not looked at. */
    private at = 0,
    private readonly container: JsonContainer = "file",
  ) {}

  /** Whether a collection is open: where the text ends then, something is missing. */
  get isInsideCollection(): boolean {
    return this.top !== undefined;
  }

  read(): Node {
    this.skipSpace();
    if (this.at >= this.text.length) this.fail("empty", this.at, this.at);
    for (;;) {
      let node = this.value();
      while (node !== undefined) {
        if (this.top === undefined) return this.expectEnd(node);
        this.top.add(node);
        node = this.afterEntry(this.top);
      }
    }
  }

  /** Reads a value, or opens a collection and returns nothing when its first entry comes next. */
  private value(): Node | undefined {
    const code = this.skipSpace();
    if (++this.valueCount > this.limits.maxValues) throw tooManyValues(this.at, this.limits.maxValues);
    if (code === 34) return this.string();
    if (code === 123) return this.openMapping();
    if (code === 91) return this.openSequence();
    if (code === 45 || (code >= 48 && code <= 57)) return this.number();
    return this.word();
  }

  private openMapping(): Node | undefined {
    const mapping = new MappingBuilder(this.at, this.duplicates);
    this.push(mapping);
    if (this.skipSpace() === 125) return this.close(mapping);
    this.key(mapping);
    return undefined;
  }

  private openSequence(): Node | undefined {
    const sequence = new SequenceBuilder(this.at);
    this.push(sequence);
    return this.skipSpace() === 93 ? this.close(sequence) : undefined;
  }

  private push(collection: MappingBuilder | SequenceBuilder): void {
    const { maxDepth } = this.limits;
    if (this.open.length >= maxDepth) throw nestedTooDeep(this.at, maxDepth);
    this.open.push(collection);
    this.top = collection;
    this.at++;
  }

  private close(collection: MappingBuilder | SequenceBuilder): Node {
    this.open.pop();
    this.top = this.open[this.open.length - 1];
    this.at++;
    return collection.close(this.at);
  }

  /** The closed collection, or nothing when another entry comes next. */
  private afterEntry(collection: MappingBuilder | SequenceBuilder): Node | undefined {
    const isMapping = collection.kind === "mapping";
    const closing = isMapping ? 125 : 93;
    const code = this.skipSpace();
    if (code === closing) return this.close(collection);
    if (code !== 44)
      this.failAtToken(this.at < this.text.length ? "comma" : isMapping ? "close-object" : "close-array");
    const comma = this.at++;
    const following = this.skipSpace();
    if (following === 125 || following === 93) this.fail("trailing-comma", comma, comma + 1);
    if (isMapping) this.key(collection);
    return undefined;
  }

  private key(mapping: MappingBuilder): void {
    if (this.skipSpace() !== 34) this.failAtToken("key");
    const start = this.at;
    const text = this.stringValue();
    mapping.key = new Key(text, start, this.at);
    if (this.skipSpace() !== 58) this.failAtToken("colon");
    this.at++;
  }

  private string(): Node {
    const start = this.at;
    const value = this.stringValue();
    return new ScalarNode(start, this.at, value);
  }

  private stringValue(): string {
    const { text, at: quote } = this;
    let end = quote + 1;
    let isEscaped = false;
    for (let code = text.charCodeAt(end); code !== 34; code = text.charCodeAt(++end)) {
      // Not a comparison with 32 alone: past the end of the text the code is NaN.
      if (!(code >= 32)) this.failInString(quote);
      if (code === 92) {
        isEscaped = true;
        end++;
      }
    }
    this.at = end + 1;
    return isEscaped ? this.unescaped(quote) : text.slice(quote + 1, end);
  }

  private unescaped(quote: number): string {
    try {
      return String(JSON.parse(this.text.slice(quote, this.at)));
    } catch {
      return this.failInString(quote);
    }
  }

  private number(): Node {
    const end = endOfToken(this.text, this.at);
    if (endOfMatch(numberPattern, this.text, this.at) !== end) this.fail("number", this.at, end);
    return this.scalar(end, Number(this.text.slice(this.at, end)));
  }

  private word(): Node {
    for (const [word, value] of literals) {
      if (this.text.startsWith(word, this.at) && endOfToken(this.text, this.at) === this.at + word.length) {
        return this.scalar(this.at + word.length, value);
      }
    }
    return this.failAtToken(/[\s{}[\]:,]|^$/.test(this.text.charAt(this.at)) ? "value" : "symbol");
  }

  private scalar(end: number, value: ScalarValue): Node {
    const start = this.at;
    this.at = end;
    return new ScalarNode(start, end, value);
  }

  private expectEnd(root: Node): Node {
    this.skipSpace();
    if (this.at < this.text.length) this.failAtToken("rest");
    return root;
  }

  /** The code of the next character that is not white space; NaN at the end. */
  private skipSpace(): number {
    const { text } = this;
    let code = text.charCodeAt(this.at);
    while (code === 32 || code === 10 || code === 13 || code === 9) code = text.charCodeAt(++this.at);
    return code;
  }

  private failAtToken(problem: JsonProblem): never {
    const isComment = this.text.startsWith("//", this.at) || this.text.startsWith("/*", this.at);
    return this.fail(isComment ? "comment" : problem, this.at, endOfToken(this.text, this.at));
  }

  private failInString(quote: number): never {
    const fault = findStringProblem(this.text, quote);
    return this.fail(fault?.problem ?? "symbol", fault?.start ?? quote, fault?.end ?? this.at);
  }

  private fail(problem: JsonProblem, start: number, end: number): never {
    throw ParseError.syntaxError(jsonFault(this.text, { problem, start, end }, this.container));
  }
}
