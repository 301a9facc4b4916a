import type { Limits } from "../file-format.js";
import {
  type DuplicateKey,
  Key,
  MappingNode,
  type Node,
  ScalarNode,
  type ScalarValue,
  SequenceNode,
  type Span,
} from "../node.js";
import {
  type Document,
  type Fault,
  faultAt,
  maxFaults,
  nestedTooDeep,
  ParseError,
  tooManyValues,
  withOpening,
} from "../document.js";
import { endOfMatch, isLineBreak, skipWhitespace } from "../scan-text.js";
import { createDocument, failedDocument, openText, type TextDocument } from "../text-document.js";
import {
  commentPattern,
  endOfToken,
  findStringProblem,
  isAfterQuote,
  isBeforeColon,
  isWord,
  type JsonContainer,
  jsonFault,
  type JsonProblem,
  looksLikeYaml,
  startsValue,
  unicodeSpacePattern,
} from "./json-problems.js";

/** Reads on after a fault that leaves the rest of the text clear, to report further ones. */
export function readJson(text: string, limits: Limits): TextDocument {
  const reader = new JsonReader(text, limits);
  const { faults, duplicates } = reader;
  try {
    const root = reader.read();
    if (faults.length > 0) return createDocument(text, "json", { faults, hasSyntaxError: true });
    return createDocument(text, "json", { root, duplicateKeys: duplicates });
  } catch (error) {
    if (error instanceof ParseError) return failedDocument(text, "json", error, faults);
    throw error;
  }
}

const numberPattern = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
const literals = new Map(Object.entries({ true: true, false: false, null: null }));

type Collection = MappingNode | SequenceNode;

/** Hand-written, because no library gives positions at nearly the speed of JSON.parse without recursing. */
class JsonReader {
  readonly duplicates: DuplicateKey[] = [];
  readonly faults: Fault[] = [];
  private readonly open: Collection[] = [];
  /** The innermost open collection. */
  top: Collection | undefined;
  valueCount = 0;

  constructor(
    private readonly text: string,
    private readonly limits: Limits,
    private at = 0,
    private readonly container: JsonContainer = "file",
  ) {}

  read(): Node {
    this.at = skipWhitespace(this.text, this.at);
    if (this.at >= this.text.length) this.fail("empty", this.at, this.at);
    if (this.container === "file" && looksLikeYaml(this.text)) this.failAtToken("yaml");
    for (;;) {
      let node = this.value();
      while (node !== undefined) {
        if (this.top === undefined) return this.expectEnd(node);
        this.top.add(node, this.duplicates);
        node = this.afterEntry(this.top, node);
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
    const mapping = new MappingNode(this.at);
    this.push(mapping);
    if (this.skipSpace() === 125) return this.close(mapping);
    this.key(mapping);
    return undefined;
  }

  private openSequence(): Node | undefined {
    const sequence = new SequenceNode(this.at);
    this.push(sequence);
    return this.skipSpace() === 93 ? this.close(sequence) : undefined;
  }

  private push(collection: Collection): void {
    const { maxDepth } = this.limits;
    if (this.open.length >= maxDepth) throw nestedTooDeep(this.at, maxDepth);
    this.open.push(collection);
    this.top = collection;
    this.at++;
  }

  private close(collection: Collection): Node {
    this.open.pop();
    this.top = this.open[this.open.length - 1];
    this.at++;
    return collection.close(this.at);
  }

  /** The closed collection, or undefined if another entry follows. */
  private afterEntry(collection: Collection, last: Node): Node | undefined {
    const isMapping = collection.kind === "mapping";
    const closing = isMapping ? 125 : 93;
    const code = this.skipSpace();
    if (code === closing) return this.close(collection);
    const comma = this.at;
    if (code === 44) this.at++;
    else this.missingComma(collection, last);
    if (this.skipSpace() === closing) {
      this.report("trailing-comma", comma, comma + 1);
      return this.close(collection);
    }
    if (isMapping) this.key(collection);
    return undefined;
  }

  private missingComma({ kind, start }: Collection, last: Node): void {
    const { text, at } = this;
    const isMapping = kind === "mapping";
    if (at >= text.length) this.fail(isMapping ? "close-object" : "close-array", at, at, start);
    const mark = text.charAt(at);
    const end = endOfToken(text, at);
    if (mark === "}" || mark === "]") this.fail("other-bracket", at, end, start);
    if (mark === ":") this.fail("open-bracket", last.start, last.end, isMapping ? undefined : start);
    if (mark === '"' && !isMapping && isBeforeColon(text, end)) this.fail("open-bracket", at, end, start);
    if (mark === ";") {
      this.report("comma", at, end);
      this.at = end;
    } else if (isAfterQuote(text, at)) this.fail(isWord(mark) ? "early-end" : "comma", at, end);
    else {
      const isEntry = isMapping ? isBeforeColon(text, end) : startsValue(mark);
      this.reportIf(isEntry && (mark === '"' || !isMapping), "comma", end);
    }
  }

  private key(mapping: MappingNode): void {
    const isQuoted = this.skipSpace() === 34;
    const start = this.at;
    const text = isQuoted ? this.stringValue() : this.unquotedKey();
    mapping.nextKey = new Key(text, start, this.at);
    if (this.skipSpace() === 58) this.at++;
    else this.missingColon();
  }

  private unquotedKey(): string {
    const { text, at } = this;
    if (text.startsWith("{{", at - 1)) this.fail("template", at - 1, at + 1);
    const word = endOfToken(text, at);
    const end = text.charAt(word) === '"' ? word + 1 : word;
    this.reportIf(isBeforeColon(text, end), "key", end);
    this.at = end;
    return text.slice(at, end);
  }

  private missingColon(): void {
    const { text, at } = this;
    const mark = text.charAt(at);
    const end = endOfToken(text, at);
    if (isAfterQuote(text, at)) this.fail(isWord(mark) ? "early-end" : "colon", at, end);
    this.reportIf(mark === "=" || startsValue(mark), "colon", end);
    if (mark === "=") this.at++;
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
      if (!(code >= 32)) return this.invalidString(quote);
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
      return this.invalidString(quote);
    }
  }

  private invalidString(quote: number): string {
    const { problem, start, end } = findStringProblem(this.text, quote);
    if (problem === "string-end" || problem === "string-cut") this.fail(problem, start, end);
    this.report(problem, start, end);
    this.at = endOfToken(this.text, quote);
    return "";
  }

  private number(): Node {
    const end = endOfToken(this.text, this.at);
    if (endOfMatch(numberPattern, this.text, this.at) !== end) return this.invalidValue("number", end);
    return this.scalar(end, Number(this.text.slice(this.at, end)));
  }

  private word(): Node | undefined {
    const { text, at } = this;
    const end = endOfToken(text, at);
    const value = literals.get(text.slice(at, end));
    if (value !== undefined) return this.scalar(end, value);
    const mark = text.charAt(at);
    if (/^[}\]:,]?$/.test(mark)) {
      this.reportIf(mark === "," || mark === (this.top?.kind === "mapping" ? "}" : "]"), "value", end);
      return this.scalar(at, null);
    }
    if (this.top !== undefined)
      return this.invalidValue(/^[+.]*[0-9]/.test(text.slice(at, end)) ? "number" : "symbol", end);
    this.reportIf(text.startsWith("```", at), "start", end);
    this.at = end;
    return this.value();
  }

  /** Reads on unless text in several words may follow. */
  private invalidValue(problem: JsonProblem, end: number): Node {
    const next = this.text.charAt(skipWhitespace(this.text, end));
    this.reportIf(/[,}\]]/.test(next), problem, end);
    return this.scalar(end, null);
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

  private skipSpace(): number {
    const { text } = this;
    let code = text.charCodeAt(this.at);
    while (code === 32 || code === 10 || code === 13 || code === 9) code = text.charCodeAt(++this.at);
    // No token starts with "#", "/" or a character outside of ASCII.
    return code === 35 || code === 47 || code > 126 ? this.skipForeign(code) : code;
  }

  /** Skips a comment, or spaces that only look like plain ones. */
  private skipForeign(code: number): number {
    const comment = endOfMatch(commentPattern, this.text, this.at);
    const end = comment ?? endOfMatch(unicodeSpacePattern, this.text, this.at);
    if (end === undefined) return code;
    this.report(comment === undefined ? "space" : "comment", this.at, end);
    this.at = end;
    return this.skipSpace();
  }

  private failAtToken(problem: JsonProblem): never {
    return this.fail(problem, this.at, endOfToken(this.text, this.at));
  }

  /** Reports a problem that starts here, and reads on only if the rest of the text is clear. */
  private reportIf(isClear: boolean, problem: JsonProblem, end: number): void {
    if (isClear) this.report(problem, this.at, end);
    else this.fail(problem, this.at, end);
  }

  private report(problem: JsonProblem, start: number, end: number): void {
    if (this.container === "line" || this.faults.length === maxFaults - 1) this.fail(problem, start, end);
    this.faults.push(jsonFault(this.text, { problem, start, end }));
  }

  private fail(problem: JsonProblem, start: number, end: number, bracket?: number): never {
    const fault = jsonFault(this.text, { problem, start, end }, this.container);
    throw new ParseError(bracket === undefined ? fault : withOpening(fault, bracket), true);
  }
}

/**
 * A program that dies while writing leaves half a line, and the next one may append to it: only the lines before such a
 * fault are kept.
 */
export function readJsonLines(source: string | Uint8Array, limits: Limits): Document {
  const opened = openText(source, "json", limits);
  if (typeof opened === "string") return readLines(opened, limits);
  return opened.text === "" ? opened : readLines(opened.text, limits, opened.faults[0]);
}

function readLines(text: string, limits: Limits, invalidByte?: Fault): Document {
  const root = new SequenceNode(0, text.length);
  root.head = { start: 0, end: 0 };
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
        return failedDocument(text, "json", tooManyValues(start, limits.maxValues));
      if (faults.length > 0) continue;
      root.add(item);
      for (const duplicate of reader.duplicates) duplicateKeys.push(duplicate);
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
      if (faults.length === 0 && isPrettyPrinted(text, start, end)) {
        const message = "A record has one JSON object per line; this one spans several lines.";
        faults.push(faultAt(start, end, message));
        break;
      }
      faults.push(error.fault);
      isCutOff = reader.top !== undefined && error.isSyntax && error.fault.end >= text.length;
    }
  }
  const [fault] = faults;
  if (root.items.length > 0) {
    if (fault !== undefined) {
      const message =
        isCutOff && faults.length === 1
          ? "The last line is cut off; only the lines before it are checked."
          : `${fault.message} Only the lines before this one are checked.`;
      faults[0] = { ...fault, message };
    }
    return createDocument(text, "json", { root, faults, duplicateKeys });
  }
  if (fault === undefined)
    faults.push(faultAt(0, 0, "The file is empty; a record has one JSON object per line."));
  return createDocument(text, "json", { faults });
}

function isPrettyPrinted(text: string, start: number, end: number): boolean {
  return text.slice(start, end).trim() === "{" && /^\s*"/u.test(text.slice(end, end + 1000));
}

function requireObject(node: Node): MappingNode {
  if (node.kind === "mapping") return node;
  const span = node.kind === "sequence" ? node.head : node;
  throw ParseError.syntaxErrorAt(span, "Each line of a record is a JSON object; this one is not.");
}

/** Without a pattern, as one for lines may exhaust its stack on a line of many megabytes. */
function* nonBlankLines(text: string): Iterable<Span> {
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    for (end = start; end < text.length && !isLineBreak(text.charCodeAt(end));) end++;
    if (text.slice(start, end).trim() !== "") yield { start, end };
  }
}
