import { parseEvents, YAMLException, type Event } from "js-yaml";
import type { Span } from "../node.js";
import { findRelaxableSpans, outsideScalars } from "./yaml-out-of-place.js";

/** A longer text is not read again. */
const maxReparseLength = 4 * 1024 * 1024;

/**
 * The parser wants a closing bracket indented further than the key of its collection, and no tab between tokens.
 * Others, libyaml among them, do not. Where it refuses only that, blanks take the place of the line break or the tab,
 * one for one, so that every offset stays.
 */
export function parseLeniently(text: string, maxDepth: () => number): Event[] {
  const outcome = tryParse(text, maxDepth());
  if (!(outcome instanceof YAMLException)) return outcome;
  if (outcome.reason !== deficientIndentation || text.length > maxReparseLength) throw outcome;
  // All at once that look like it, and once more without those that were text.
  let parts = findRelaxableSpans(text);
  for (let tries = 0; tries < 2 && parts.length > 0; tries++) {
    const relaxed = tryParse(blankOut(text, parts), maxDepth());
    if (relaxed instanceof YAMLException) throw relaxed;
    const outside = outsideScalars(parts, relaxed);
    if (outside.length === parts.length) return relaxed;
    parts = outside;
  }
  throw outcome;
}

function blankOut(text: string, parts: readonly Span[]): string {
  let at = 0;
  let result = "";
  for (const { start, end } of parts) {
    result += text.slice(at, start) + " ".repeat(end - start);
    at = end;
  }
  return result + text.slice(at);
}

function tryParse(text: string, maxDepth: number): Event[] | YAMLException {
  try {
    return parseEvents(text, { maxDepth });
  } catch (error) {
    if (error instanceof YAMLException) return error;
    throw error;
  }
}

const deficientIndentation = "deficient indentation";
