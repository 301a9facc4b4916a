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

const endsInQuotes = "The file ends before this text in quotes is closed.";

/** Keyed by the start of the parser's reason. The slow parser describes all other mistakes, except in long files. */
const messagesByReason: Readonly<Record<string, string>> = {
  "bad indentation of a mapping":
    "This is unexpected here; check the indentation, and put text with special characters in quotes.",
  "bad indentation of a sequence":
    "The indentation of this list entry does not match that of the entries before it.",
  "can not read a block mapping entry": "A key must be on one line; is a colon missing on the line before?",
  "deficient indentation":
    "Indent this line further than the key: it belongs to the bracket or quote that the key opens.",
  "directives end mark": 'A line with "---" is missing after the directives.',
  "end of the stream or a document separator":
    "This is unexpected here; check the indentation of this line and the one before.",
  "expected valid JSON character": "Text in quotes cannot contain control characters; write them as escapes.",
  "missed comma": missingCommaMessage,
  "null byte": "A YAML file cannot contain a NUL character.",
  "tab characters must not": tabMessage,
  "the stream contains non-printable":
    "A YAML file cannot contain this control character; write it as an escape in double quotes.",
  "unexpected end of the stream within a double": endsInQuotes,
  "unexpected end of the stream within a flow": "The file ends before a bracket is closed.",
  "unexpected end of the stream within a single": endsInQuotes,
};

export function describeParserReason(reason: string): string {
  const start = Object.keys(messagesByReason).find((known) => reason.startsWith(known)) ?? "";
  return messagesByReason[start] ?? `The file is not valid YAML: ${reason}.`;
}
