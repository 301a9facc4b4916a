import { EVENT_ID, type Event, type ScalarEvent } from "js-yaml";
import type { Fault } from "./document.js";
import { faultAt, maxFaults, shown } from "./refusal.js";

/** Those of YAML itself, in full or short. The last ones are of older versions, and say nothing to us. */
const standardTag =
  /^!(?:!|<tag:yaml\.org,2002:)(?:(str|null|bool|int|float|merge)|seq|map|binary|omap|pairs|set|timestamp|value|yaml)>?$/;

/** The name of a tag of the core schema, `!` for the one that means "a string", nothing for all others. */
export function tagName(text: string, event: ScalarEvent): string | undefined {
  if (event.tagStart < 0) return undefined;
  const raw = text.slice(event.tagStart, event.tagEnd);
  return raw === "!" ? raw : standardTag.exec(raw)?.[1];
}

/** Tags that stand for nothing, as a rule the first word of a text. What a file declares was meant to be a tag. */
export function unknownTags(text: string, events: readonly Event[]): Fault[] {
  const faults: Fault[] = [];
  for (const event of events) {
    if (event.type === EVENT_ID.DOCUMENT && event.directives.some(({ kind }) => kind === "tag")) break;
    if (!("tagStart" in event) || event.tagStart < 0) continue;
    const { tagStart: start, tagEnd: end } = event;
    const tag = text.slice(start, end);
    if (tag === "!" || standardTag.test(tag)) continue;
    const message = `The tag ${shown(tag)} is not known; remove it, or put text that starts with "!" in quotes.`;
    if (faults.push(faultAt(start, end, message)) === maxFaults) break;
  }
  return faults;
}
