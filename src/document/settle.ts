import { decode, stripBom } from "./decode.js";
import type { Document, Fault, Format, Limits } from "./document.js";
import type { Node } from "./node.js";
import { faultAt } from "./refusal.js";
import { TextDocument } from "./text-document.js";

/** The text of a source, or the document that says why it has none. */
export function openText(source: string | Uint8Array, format: Format, limits: Limits): string | Document {
  const size = typeof source === "string" ? byteLength(source, limits.maxBytes) : source.length;
  if (size > limits.maxBytes) {
    const message = `The file has more than ${limits.maxBytes} bytes.`;
    return new TextDocument("", format, { faults: [faultAt(0, 0, message, "maxBytes")] });
  }
  const { text, fault } = typeof source === "string" ? stripBom(source) : decode(source);
  if (fault === undefined) return text;
  const { offset, message } = fault;
  return new TextDocument(text, format, {
    faults: [faultAt(offset, Math.min(offset + 1, text.length), message)],
  });
}

/** Counts exactly only where it matters. */
function byteLength(text: string, limit: number): number {
  return text.length <= limit && text.length * 3 > limit
    ? new TextEncoder().encode(text).length
    : text.length;
}

/** All syntax faults in place of the one that stopped the reader. */
export function replaceFaults(document: TextDocument, faults: readonly Fault[]): Document {
  return faults.length === 0 ? document : new TextDocument(document.text, document.format, { faults });
}

/** Every file we read is an object; any other root is a fault. */
export function requireMapping(document: TextDocument): Document {
  const { root, text, format } = document;
  if (root === undefined || root.kind === "mapping") return document;
  const message = `The file holds ${describeRoot(root)}.`;
  const { start, end } = root.kind === "sequence" ? root.head : root;
  return new TextDocument(text, format, { faults: [faultAt(start, end, message, "no-object")] });
}

function describeRoot(root: Node): string {
  if (root.kind !== "scalar") return "a list";
  if (root.value === null) return "null";
  return typeof root.value === "boolean" ? "true or false" : `a ${typeof root.value}`;
}
