import { EVENT_ID, type Event, type MappingEvent, type SequenceEvent } from "js-yaml";
import type { Fault } from "../document.js";
import { faultAt, ParseError } from "../refusal.js";
import { isBelowBlockScalar, lineAt } from "./yaml-sections.js";

/** Said of a list or a mapping in the place of a key. Where it is a template without quotes, there may be more of them. */
export function invalidKeyError(text: string, { type, start }: MappingEvent | SequenceEvent): ParseError {
  const mark = { start, end: start + 1 };
  if (isTemplateStart(text, start) || isTemplateStart(text, start + 1))
    return ParseError.syntaxErrorAt(mark, templateMessage(text, start));
  const kind = type === EVENT_ID.MAPPING ? "mapping" : "list";
  return ParseError.rejectionAt(mark, `A ${kind} cannot be a key; write the key as text.`);
}

/** The templates without quotes in a part of the text that is valid: a mapping in a mapping to the parser. */
export function findUnquotedTemplates(text: string, base: number, events: readonly Event[]): Fault[] {
  return events.flatMap((event) => {
    if (event.type !== EVENT_ID.MAPPING) return [];
    const start = base + event.start;
    return isTemplateStart(text, start) ? faultAt(start, start + 1, templateMessage(text, start)) : [];
  });
}

function templateMessage(text: string, start: number): string {
  // Of many on one line, only the first looks for where it starts.
  const isFirst = /[\r\n]/.test(text.slice(Math.max(0, text.lastIndexOf("{{", start - 2)), start));
  const isBelowText = isFirst && isBelowBlockScalar(text, lineAt(text, start));
  const orIndent = isBelowText ? ", or indent the line if it belongs to the text above" : "";
  return `A mapping cannot be a key; put text that starts with "{{" in quotes${orIndent}.`;
}

/** Whether the mapping that starts here stands right after the bracket of another. */
function isTemplateStart(text: string, start: number): boolean {
  return text.startsWith("{{", start - 1);
}
