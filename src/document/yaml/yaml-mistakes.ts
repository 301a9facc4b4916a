import { type Event, EVENT_ID, type MappingEvent, type SequenceEvent } from "js-yaml";
import type { Fault } from "../document.js";
import { faultAt, ParseError } from "../fault.js";
import { skipSpaceAndComments } from "../scan-text.js";

/** Reported for a list or a mapping used as a key; an unquoted template is a syntax error, as there may be more. */
export function invalidKeyError(text: string, { type, start }: MappingEvent | SequenceEvent): ParseError {
  const mark = { start, end: start + 1 };
  if (isTemplateStart(text, start) || isTemplateStart(text, start + 1))
    return ParseError.syntaxErrorAt(mark, templateMessage);
  const kind = type === EVENT_ID.MAPPING ? "mapping" : "list";
  return ParseError.rejectionAt(mark, `A ${kind} cannot be a key; write the key as text.`);
}

/** Unquoted templates in a valid part of the text: the parser reads them as a mapping in a mapping. */
export function findUnquotedTemplates(text: string, base: number, events: readonly Event[]): Fault[] {
  return events.flatMap((event) => {
    if (event.type !== EVENT_ID.MAPPING) return [];
    const start = base + event.start;
    return isTemplateStart(text, start) ? faultAt(start, start + 1, templateMessage) : [];
  });
}

const templateMessage = 'A mapping cannot be a key; put text that starts with "{{" in quotes.';

function isTemplateStart(text: string, start: number): boolean {
  return text.startsWith("{{", start - 1);
}

const startMarker = /^---(?=\s|$)/gm;
const endMarker = /^\.\.\.(?=\s|$)/gm;

export function findStartMarker(text: string, from: number): number {
  startMarker.lastIndex = from;
  return startMarker.exec(text)?.index ?? from;
}

/** The first character of a document without `---`, after the `...` that ends the previous one. */
export function findBareStart(text: string, from: number): number {
  endMarker.lastIndex = from;
  const marker = endMarker.exec(text);
  return marker === null ? from : skipSpaceAndComments(text, marker.index + 3);
}

/** Reported for the second document of a file, at its `---` or its first character. */
export function secondDocumentError(text: string, start: number, isMarked: boolean): ParseError {
  const end = start + (isMarked ? 3 : 1);
  if (skipSpaceAndComments(text, end) < text.length || !isMarked)
    return ParseError.rejectionAt(
      { start, end },
      "The file holds several YAML documents.",
      "several-documents",
    );
  const message = 'Nothing follows this "---", which would start a second document; remove the line.';
  return ParseError.rejectionAt({ start, end }, message);
}

export const tabMessage = "A tab cannot indent a line in YAML; use spaces.";
export const missingCommaMessage = "A comma is missing between the entries.";
