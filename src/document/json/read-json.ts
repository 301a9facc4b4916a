import type { Limits } from "../file-format.js";
import { MappingBuilder, SequenceBuilder } from "../collection-builders.js";
import type { Document, DuplicateKey, Fault } from "../document.js";
import { faultAt, maxFaults, nestedTooDeep, ParseError, tooManyValues } from "../fault.js";
import {
  Key,
  type MappingNode,
  type Node,
  ScalarNode,
  type ScalarValue,
  SequenceNode,
  type Span,
} from "../node.js";
import { endOfMatch } from "../scan-text.js";
import { openText, TextDocument } from "../text-document.js";
import {
  endOfToken,
  findStringProblem,
  type JsonContainer,
  jsonFault,
  type JsonProblem,
} from "./json-problems.js";

export function readJson(text: string, limits: Limits): TextDocument {
  const reader = new JsonReader(text, limits);
  try {
    return new TextDocument(text, "json", { root: reader.read(), duplicateKeys: reader.duplicates });
  } catch (error) {
    if (error instanceof ParseError) return TextDocument.failed(text, "json", error);
    throw error;
  }
}

const numberPattern = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
const literals: readonly (readonly [string, ScalarValue])[] = [
  ["true", true],
  ["false", false],
  ["null", null],
];

/** Hand-written, because no library gives positions at nearly the speed of JSON.parse without recursing. */
class JsonReader {
  readonly duplicates: DuplicateKey[] = [];
  private readonly open: (MappingBuilder | SequenceBuilder)[] = [];
  private top: MappingBuilder | SequenceBuilder | undefined;
  valueCount = 0;

  constructor(
    private readonly text: string,
    private readonly limits: Limits,
    /** The offset to start reading at. */
    private at = 0,
    private readonly container: JsonContainer = "file",
  ) {}

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

  /** Reads a value, or opens a collection and returns undefined if it is not empty. */
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

  /** The closed collection, or undefined if another entry follows. */
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
      // Negated, because the code is NaN past the end of the text.
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
    throw new ParseError(jsonFault(this.text, { problem, start, end }, this.container), true);
  }
}

/**
 * Reads JSON Lines as one list of objects; blank lines are skipped. A program that dies while writing leaves half a line,
 * and the next one may append to it: such a line is a fault, and only the lines before the first one are kept.
 */
export function readJsonLines(source: string | Uint8Array, limits: Limits): Document {
  const opened = openText(source, "json", limits);
  if (typeof opened === "string") return readLines(opened, limits);
  return opened.text === "" ? opened : readLines(opened.text, limits, opened.faults[0]);
}

function readLines(text: string, limits: Limits, invalidByte?: Fault): Document {
  const items: Node[] = [];
  const duplicateKeys: DuplicateKey[] = [];
  const faults: Fault[] = [];
  let values = 0;
  let isCutOff = false;
  for (const { start, end } of nonBlankLines(text)) {
    if (faults.length === maxFaults) break;
    // Slicing only the end keeps all offsets.
    const reader = new JsonReader(text.slice(0, end), limits, start, "line");
    try {
      if (invalidByte !== undefined && invalidByte.start >= start && invalidByte.start < end)
        throw new ParseError(invalidByte, true);
      const item = requireObject(reader.read());
      values += reader.valueCount;
      if (values > limits.maxValues)
        return TextDocument.failed(text, "json", tooManyValues(start, limits.maxValues));
      if (faults.length > 0) continue;
      items.push(item);
      for (const duplicate of reader.duplicates) duplicateKeys.push(duplicate);
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
      if (faults.length === 0 && isPrettyPrinted(text, start, end)) {
        const message = "A record has one JSON object per line; this one spans several lines.";
        faults.push(faultAt(start, end, message));
        break;
      }
      faults.push(error.fault);
      isCutOff = reader.isInsideCollection && error.isSyntax && error.fault.end >= text.length;
    }
  }
  const [fault] = faults;
  if (items.length > 0) {
    const root = rootSequence(text, items);
    if (fault !== undefined) {
      const message =
        isCutOff && faults.length === 1
          ? "The last line is cut off; only the lines before it are checked."
          : `${fault.message} Only the lines before this one are checked.`;
      faults[0] = { ...fault, message };
    }
    return new TextDocument(text, "json", { root, faults, duplicateKeys });
  }
  if (fault === undefined)
    faults.push(faultAt(0, 0, "The file is empty; a record has one JSON object per line."));
  return new TextDocument(text, "json", { faults });
}

/** Whether an object spans several lines. */
function isPrettyPrinted(text: string, start: number, end: number): boolean {
  return text.slice(start, end).trim() === "{" && /^\s*"/u.test(text.slice(end, end + 1000));
}

function requireObject(node: Node): MappingNode {
  if (node.kind === "mapping") return node;
  const span = node.kind === "sequence" ? node.head : node;
  throw ParseError.syntaxErrorAt(span, "Each line of a record is a JSON object; this one is not.");
}

function rootSequence(text: string, items: readonly Node[]): SequenceNode {
  const root = new SequenceNode(0, text.length, items, { start: 0, end: 0 });
  for (const [index, item] of items.entries()) {
    item.parent = root;
    item.key = index;
  }
  return root;
}

function* nonBlankLines(text: string): Iterable<Span> {
  for (const { 0: line, index } of text.matchAll(/[^\r\n]+/g)) {
    if (line.trim() !== "") yield { start: index, end: index + line.length };
  }
}
