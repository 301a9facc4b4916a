import type { Fault } from "../document.js";
import { faultAt, ParseError } from "../refusal.js";
import { skipSpaceAndComments } from "../scan-text.js";
import { indentOf, lineAt, nextLine } from "./yaml-sections.js";

const startMarker = /^---(?=\s|$)/gm;
const endMarker = /^\.\.\.(?=\s|$)/gm;

/** The `---` that starts a document, sought from the end of what stands before it. */
export function findStartMarker(text: string, from: number): number {
  startMarker.lastIndex = from;
  return startMarker.exec(text)?.index ?? from;
}

/** The first character of a document that starts without `---`, after the `...` of the one before. */
export function findBareStart(text: string, from: number): number {
  endMarker.lastIndex = from;
  const marker = endMarker.exec(text);
  return marker === null ? from : skipSpaceAndComments(text, marker.index + 3);
}

const endMarkerLine = /^\.\.\.[ \t]*(?:[ \t]#.*)?$/gm;

/** The first `...` after which the lines go on indented: they are a part of the document that it ends. */
export function findEarlyEndMarker(text: string): Fault | undefined {
  for (const { index } of text.matchAll(endMarkerLine)) {
    const next = nextLine(text, lineAt(text, index).end, text.length);
    if (next !== undefined && indentOf(next) > 0) return faultAt(index, index + 3, earlyEndMessage);
  }
  return undefined;
}

const earlyEndMessage =
  'This "..." ends the document, and the lines below are no part of it; remove the line.';

/** Said of the second document of a file, at its `---` or its first character. */
export function secondDocumentError(text: string, start: number, isMarked: boolean): ParseError {
  const early = findEarlyEndMarker(text.slice(0, start + 1));
  if (early !== undefined) return ParseError.rejectionAt(early, early.message);
  const end = start + (isMarked ? 3 : 1);
  if (skipSpaceAndComments(text, end) < text.length || !isMarked)
    return ParseError.rejectionAt({ start, end }, "The file holds several YAML documents.", "several-documents");
  const message = 'Nothing follows this "---", which would start a second document; remove the line.';
  return ParseError.rejectionAt({ start, end }, message);
}
