import type { DuplicateKey, Limits } from "../document.js";
import { endOfToken, type Holder, jsonFault, type JsonProblem } from "./json-words.js";
import { Key, ScalarNode, type Node, type ScalarValue } from "../node.js";
import { OpenMapping, OpenSequence } from "../open-collection.js";
import { endOfMatch } from "../scan-text.js";
import { Refusal, tooDeep, tooMany } from "../refusal.js";
import { faultInString } from "./string-fault.js";

const numberShape = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
const words: readonly (readonly [string, ScalarValue])[] = [
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
  private readonly open: (OpenMapping | OpenSequence)[] = [];
  private top: OpenMapping | OpenSequence | undefined;
  /** How many were read. */
  values = 0;

  constructor(
    private readonly text: string,
    private readonly limits: Limits,
    /** Where reading begins; what stands before is not looked at. */
    private at = 0,
    private readonly holder: Holder = "file",
  ) {}

  /** Whether a collection is open: where the text ends then, something is missing. */
  get isWithin(): boolean {
    return this.top !== undefined;
  }

  read(): Node {
    this.next();
    if (this.at >= this.text.length) this.fail("empty", this.at, this.at);
    for (;;) {
      let node = this.value();
      while (node !== undefined) {
        if (this.top === undefined) return this.finish(node);
        this.top.add(node);
        node = this.afterEntry(this.top);
      }
    }
  }

  /** Reads a value, or opens a collection and returns nothing when its first entry comes next. */
  private value(): Node | undefined {
    const code = this.next();
    if (++this.values > this.limits.maxValues) throw tooMany(this.at, this.limits.maxValues);
    if (code === 34) return this.string();
    if (code === 123) return this.openMapping();
    if (code === 91) return this.openSequence();
    if (code === 45 || (code >= 48 && code <= 57)) return this.number();
    return this.word();
  }

  private openMapping(): Node | undefined {
    const mapping = new OpenMapping(this.at, this.duplicates);
    this.push(mapping);
    if (this.next() === 125) return this.close(mapping);
    this.key(mapping);
    return undefined;
  }

  private openSequence(): Node | undefined {
    const sequence = new OpenSequence(this.at);
    this.push(sequence);
    return this.next() === 93 ? this.close(sequence) : undefined;
  }

  private push(collection: OpenMapping | OpenSequence): void {
    const { maxDepth } = this.limits;
    if (this.open.length >= maxDepth) throw tooDeep(this.at, maxDepth);
    this.open.push(collection);
    this.top = collection;
    this.at++;
  }

  private close(collection: OpenMapping | OpenSequence): Node {
    this.open.pop();
    this.top = this.open[this.open.length - 1];
    this.at++;
    return collection.close(this.at);
  }

  /** The closed collection, or nothing when another entry comes next. */
  private afterEntry(collection: OpenMapping | OpenSequence): Node | undefined {
    const isMapping = collection.kind === "mapping";
    const closing = isMapping ? 125 : 93;
    const code = this.next();
    if (code === closing) return this.close(collection);
    if (code !== 44)
      this.failAtToken(this.at < this.text.length ? "comma" : isMapping ? "close-object" : "close-array");
    const comma = this.at++;
    const following = this.next();
    if (following === 125 || following === 93) this.fail("trailing-comma", comma, comma + 1);
    if (isMapping) this.key(collection);
    return undefined;
  }

  private key(mapping: OpenMapping): void {
    if (this.next() !== 34) this.failAtToken("key");
    const start = this.at;
    const text = this.stringValue();
    mapping.key = new Key(text, start, this.at);
    if (this.next() !== 58) this.failAtToken("colon");
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
    if (endOfMatch(numberShape, this.text, this.at) !== end) this.fail("number", this.at, end);
    return this.scalar(end, Number(this.text.slice(this.at, end)));
  }

  private word(): Node {
    for (const [word, value] of words) {
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

  private finish(root: Node): Node {
    this.next();
    if (this.at < this.text.length) this.failAtToken("rest");
    return root;
  }

  /** The code of the next character that is not white space; NaN at the end. */
  private next(): number {
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
    const fault = faultInString(this.text, quote);
    return this.fail(fault?.problem ?? "symbol", fault?.start ?? quote, fault?.end ?? this.at);
  }

  private fail(problem: JsonProblem, start: number, end: number): never {
    throw Refusal.ofSyntaxFault(jsonFault(this.text, { problem, start, end }, this.holder));
  }
}
