import { EVENT_ID, type Event, type MappingEvent, type SequenceEvent } from "js-yaml";
import type { Fault } from "../document.js";
import { faultAt, Refusal } from "../refusal.js";

/** Said of a list or a mapping in the place of a key. Where it is a template without quotes, there may be more of them. */
export function keyRefusal(text: string, { type, start }: MappingEvent | SequenceEvent): Refusal {
  const mark = { start, end: start + 1 };
  if (isTemplate(text, start) || isTemplate(text, start + 1))
    return Refusal.ofBrokenText(mark, templateMessage);
  const kind = type === EVENT_ID.MAPPING ? "mapping" : "list";
  return Refusal.ofSoundText(mark, `A ${kind} cannot be a key; write the key as text.`);
}

/** The templates without quotes in a part of the text that is valid: a mapping in a mapping to the parser. */
export function bareTemplates(text: string, base: number, events: readonly Event[]): Fault[] {
  return events.flatMap((event) => {
    if (event.type !== EVENT_ID.MAPPING) return [];
    const start = base + event.start;
    return isTemplate(text, start) ? faultAt(start, start + 1, templateMessage) : [];
  });
}

const templateMessage = 'A mapping cannot be a key; put text that starts with "{{" in quotes.';

/** Whether the mapping that starts here stands right after the bracket of another. */
function isTemplate(text: string, start: number): boolean {
  return text.startsWith("{{", start - 1);
}
