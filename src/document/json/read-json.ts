import type { Limits } from "../document.js";
import { JsonReader } from "./json-reader.js";
import { placeJson } from "./place-json.js";
import { Refusal } from "../refusal.js";
import { TextDocument } from "../text-document.js";

/** A larger text could make `JSON.parse` fill the memory, as it counts neither values nor levels. */
const mostParsed = 1024 * 1024;

export function readJson(text: string, limits: Limits): TextDocument {
  return (
    (text.length <= Math.min(mostParsed, limits.maxValues) && readParsed(text, limits)) || read(text, limits)
  );
}

/** Nothing where the text is broken, or more than its value tells. */
function readParsed(text: string, { maxDepth }: Limits): TextDocument | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const root = placeJson(text, value, maxDepth);
  return root && new TextDocument(text, "json", { root, value });
}

function read(text: string, limits: Limits): TextDocument {
  const reader = new JsonReader(text, limits);
  try {
    return new TextDocument(text, "json", { root: reader.read(), duplicateKeys: reader.duplicates });
  } catch (error) {
    if (error instanceof Refusal) return TextDocument.refused(text, "json", error);
    throw error;
  }
}
