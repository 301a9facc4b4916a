import { EVENT_ID, type Event, type ScalarEvent } from "js-yaml";
import type { Fault } from "../document.js";
import { faultAt, maxFaults } from "../refusal.js";
import { quoteSource } from "../shown.js";
import { scalarStyles } from "./yaml-scalar.js";

const coreTag = /^!(?:!|<tag:yaml\.org,2002:)(str|null|bool|int|float|merge)>?$/;

/** The name of a tag of the core schema, `!` for the one that means "a string", nothing for all others. */
export function coreTagName(text: string, event: ScalarEvent): string | undefined {
  if (event.tagStart < 0) return undefined;
  const raw = text.slice(event.tagStart, event.tagEnd);
  return raw === "!" ? raw : coreTag.exec(raw)?.[1];
}

/** `!Never tell`: what is read as a tag was meant as the first word of a text, unless the file declares tags. */
export function findUnknownTags(text: string, events: readonly Event[]): Fault[] {
  const faults: Fault[] = [];
  for (const event of events) {
    if (event.type === EVENT_ID.DOCUMENT && event.directives.some(({ kind }) => kind === "tag")) break;
    if (event.type !== EVENT_ID.SCALAR || event.tagStart < 0) continue;
    const { tagStart: start, tagEnd: end } = event;
    const tag = text.slice(start, end);
    if (scalarStyles[event.style] !== "plain" || !/^![^!<]/.test(tag)) continue;
    const message = `The tag ${quoteSource(tag)} is not known; remove it, or put text that starts with "!" in quotes.`;
    if (faults.push(faultAt(start, end, message)) === maxFaults) break;
  }
  return faults;
}
