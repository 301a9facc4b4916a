import { Refusal } from "../refusal.js";
import { skipSpace } from "../scan-text.js";

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
  return marker === null ? from : skipSpace(text, marker.index + 3);
}

/** Said of the second document of a file, at its `---` or its first character. */
export function secondDocument(text: string, start: number, isMarked: boolean): Refusal {
  const end = start + (isMarked ? 3 : 1);
  if (skipSpace(text, end) < text.length || !isMarked)
    return new Refusal(start, end, "The file holds several YAML documents.", false, "several-documents");
  const message = 'Nothing follows this "---", which would start a second document; remove the line.';
  return new Refusal(start, end, message, false);
}
