import type { Format, Limits } from "./file-format.js";
import { getOrCreate } from "../text/collections.js";
import { type Document, type Fault, faultAt, type ParseError } from "./document.js";
import { LineMap } from "./scan-text.js";
import type { Node, ScalarNode } from "./node.js";
import { ScalarSourceMap } from "./scalar-source-map.js";

export interface TextDocument extends Document {
  /** The reader stopped at a syntax error; there may be more of them. */
  readonly hasSyntaxError: boolean;
}

type ParseResult = Partial<Omit<TextDocument, "text" | "format" | "lines" | "placeWithin">>;

export function createDocument(text: string, format: Format, result: ParseResult): TextDocument {
  const sourceMaps = new Map<ScalarNode, ScalarSourceMap>();
  return {
    text,
    format,
    lines: new LineMap(text),
    root: undefined,
    faults: [],
    duplicateKeys: [],
    comments: [],
    aliases: { targets: new Set(), mergingMappings: new Set() },
    hasSyntaxError: false,
    ...result,
    placeWithin(scalar, from, to) {
      const { pointer, start, end, value, source } = scalar;
      if (typeof value !== "string") return { pointer, start, end };
      const map = getOrCreate(sourceMaps, scalar, () => ScalarSourceMap.of(text, source, value.length));
      return { pointer, start: map.start(from), end: map.end(from, to) };
    },
  };
}

export function failedDocument(
  text: string,
  format: Format,
  { fault, isSyntax }: ParseError,
  before: readonly Fault[] = [],
): TextDocument {
  return createDocument(text, format, { faults: [...before, fault], hasSyntaxError: isSyntax });
}

export function openText(source: string | Uint8Array, format: Format, limits: Limits): string | Document {
  const reject = (text: string, fault: Fault) => createDocument(text, format, { faults: [fault] });
  const size = typeof source === "string" ? byteLength(source, limits.maxBytes) : source.length;
  if (size > limits.maxBytes)
    return reject("", faultAt(0, 0, `The file has more than ${limits.maxBytes} bytes.`, "maxBytes"));
  const binary = typeof source === "string" ? undefined : describeBinary(source);
  if (binary !== undefined)
    return reject("", faultAt(0, 0, `This is ${binary}, not JSON or YAML.`, "binary"));
  const { text, fault } = typeof source === "string" ? stripBom(source) : decode(source);
  if (fault === undefined) return text;
  const { offset, message } = fault;
  return reject(text, faultAt(offset, Math.min(offset + 1, text.length), message));
}

const signatures = [
  ["PK\u0003\u0004", "a zip archive"],
  ["\u001f\u008b", "a gzip archive"],
  ["%PDF-", "a PDF document"],
  ["\u0089PNG", "a PNG image"],
] as const;

/** A file that begins like a pack is read as text, to show where the NUL in it is. */
function describeBinary(bytes: Uint8Array): string | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, 8));
  const [, known] = signatures.find(([signature]) => head.startsWith(signature)) ?? [];
  const nul = known === undefined ? bytes.indexOf(0) : -1;
  if (nul < 0 || detectOtherEncoding(bytes) !== undefined) return known;
  const beginsLikePack = /^(?:\s|#.*\n|---)*(?:\{\s*"|["']?[$\w]+["']?:)/u;
  return beginsLikePack.test(new TextDecoder().decode(bytes.subarray(0, nul))) ? undefined : "a binary file";
}

/** Counts exactly only if the limit is near. */
function byteLength(text: string, limit: number): number {
  return text.length <= limit && text.length * 3 > limit
    ? new TextEncoder().encode(text).length
    : text.length;
}

export function replaceFaults(document: TextDocument, faults: readonly Fault[]): Document {
  return faults.length === 0 ? document : createDocument(document.text, document.format, { faults });
}

/** Every file we read is an object; any other root is a fault. */
export function requireMapping(document: TextDocument): Document {
  const { root, text, format } = document;
  if (root === undefined || root.kind === "mapping") return document;
  const message = `The file holds ${describeRoot(root)}.`;
  const { start, end } = root.kind === "sequence" ? root.head : root;
  return createDocument(text, format, { faults: [faultAt(start, end, message, "no-object")] });
}

function describeRoot(root: Node): string {
  if (root.kind !== "scalar") return "a list";
  if (root.value === null) return "null";
  return typeof root.value === "boolean" ? "true or false" : `a ${typeof root.value}`;
}

/** The text has no byte order mark, since editors do not count a column for it. */
interface Decoded {
  readonly text: string;
  readonly hasBom: boolean;
  readonly fault?: { readonly offset: number; readonly message: string };
}

/** Created for the first file, since that takes as long as decoding a small one. */
let strictDecoder: InstanceType<typeof TextDecoder> | undefined;

export function decode(bytes: Uint8Array): Decoded {
  const encoding = detectOtherEncoding(bytes);
  if (encoding !== undefined) {
    const message = `The file is encoded as ${encoding}; save it as UTF-8.`;
    return { text: "", hasBom: false, fault: { offset: 0, message } };
  }
  try {
    strictDecoder ??= new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return stripBom(strictDecoder.decode(bytes));
  } catch {
    return decodeLossy(bytes);
  }
}

function stripBom(text: string): Decoded {
  return text.charCodeAt(0) === 0xfeff ? { text: text.slice(1), hasBom: true } : { text, hasBom: false };
}

/** Protects a U+FEFF at the start of a text from being removed as a byte order mark. */
export function withBom(text: string): string {
  return `\ufeff${text}`;
}

/** Invalid bytes become U+FFFD, so that the lines around them can still be shown. */
function decodeLossy(bytes: Uint8Array): Decoded {
  const whole = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const { index, byte } = findInvalidByte(whole, bytes);
  const hex = byte.toString(16).toUpperCase().padStart(2, "0");
  const message = `The file is not valid UTF-8: the byte 0x${hex} is out of place here; save it as UTF-8.`;
  const { text, hasBom } = stripBom(whole);
  return { text, hasBom, fault: { offset: hasBom ? index - 1 : index, message } };
}

/** The first U+FFFD that is not in the bytes, and the byte it replaces. */
function findInvalidByte(text: string, bytes: Uint8Array): { index: number; byte: number } {
  let at = 0;
  let index = 0;
  for (const character of text) {
    const byte = bytes[at] ?? 0;
    const isWritten = byte === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd;
    if (character === "\ufffd" && !isWritten) return { index, byte };
    const code = character.codePointAt(0) ?? 0;
    at += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    index += character.length;
  }
  return { index, byte: 0 };
}

function detectOtherEncoding(bytes: Uint8Array): string | undefined {
  const [a, b, c, d] = bytes;
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? "UTF-32" : "UTF-16";
  if (a === 0xfe && b === 0xff) return "UTF-16";
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return "UTF-32";
  // Without a byte order mark, every other byte of ASCII text is zero.
  if (a !== undefined && a !== 0 && b === 0 && c !== 0 && d === 0) return "UTF-16";
  if (a === 0 && b !== 0 && b !== undefined && c === 0 && d !== 0 && d !== undefined) return "UTF-16";
  return undefined;
}
