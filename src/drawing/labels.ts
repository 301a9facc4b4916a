import { escapeInvisible } from "../text/escape.js";
import { clipMiddle, graphemes, headOf, tailOf } from "../text/terminal-text.js";
import type { Picture, PictureEdge, StateNode } from "./picture.js";

const maxNameLength = 36;
const maxEvents = 6;
const maxArtifacts = 4;
/** Nothing at all would look like a mistake of the drawing, and Graphviz refuses it. */
const emptyName = '""';
/** Spaces that drawings leave out: at either end, and all but one in a row. */
const collapsingSpace = /^ | $|(?<= ) /gu;

const countGraphemes = (text: string): number => graphemes(text).length;

/** A name as it can be shown anywhere: on one line, nothing invisible, not endless. */
export function shortName(name: string, longest = maxNameLength): string {
  if (name === "") return emptyName;
  // Cut before looking at each character: a name may be megabytes long.
  const most = longest * 4;
  const part = name.length <= 2 * most ? name : `${headOf(name, most)}…${tailOf(name, most)}`;
  return clipMiddle(escapeInvisible(part).replace(collapsingSpace, "\u00a0"), longest, countGraphemes);
}

export function fullName(name: string): string {
  return name === "" ? emptyName : longText(name);
}

/** A text that may be empty, with nothing invisible and not endless. */
export function longText(text: string): string {
  return text.length > 2_000 ? `${escapeInvisible(text.slice(0, 2_000))}…` : escapeInvisible(text);
}

/** `max 10 ⇒ review`. */
export function guardText({ guard }: StateNode): string | undefined {
  if (guard === undefined) return undefined;
  return `max ${guard.max} ⇒ ${guard.then === undefined ? "stop" : shortName(guard.then, 24)}`;
}

/** Who starts in a state. Every state asks, so no lists are made on the way. */
export function startLabels({ nodes, edges }: Picture, id: string): readonly string[] {
  const starts = edges.filter(({ kind, to }) => kind === "start" && to === id);
  const sources = new Set(starts.map(({ from }) => from));
  return nodes
    .filter((node) => node.kind === "start")
    .filter((node) => sources.has(node.id))
    .map((node) => (node.agent ? `agent ${fullName(node.name)}` : "entry"));
}

export function artifactsText({ artifacts }: StateNode): string | undefined {
  if (artifacts.length === 0) return undefined;
  const shown = artifacts.length > maxArtifacts ? artifacts.slice(0, maxArtifacts - 1) : artifacts;
  const names = shown.map((name) => shortName(name, 20));
  if (shown.length < artifacts.length) names.push(`${artifacts.length - shown.length} more`);
  return names.join(", ");
}

export function hiddenEdgesText({ hiddenEdges }: StateNode): string | undefined {
  if (hiddenEdges === 0) return undefined;
  return hiddenEdges === 1 ? "1 more edge, not drawn" : `${hiddenEdges} more edges, not drawn`;
}

/** One line per event, as far as there is room. */
export function eventLines({ events }: Pick<PictureEdge, "events">): readonly string[] {
  const shown = events.length > maxEvents ? events.slice(0, maxEvents - 1) : events;
  const lines = shown.map((event) => shortName(event));
  if (shown.length < events.length) lines.push(`and ${events.length - shown.length} more`);
  return lines;
}
