import type { Limits } from "../document.js";
import { JsonReader } from "./json-reader.js";
import { placeJson } from "./place-json.js";
import { ParseError } from "../refusal.js";
import { TextDocument } from "../text-document.js";

/** A larger text could make `JSON.parse` fill the memory, as it counts neither values nor levels. */
const maxParsedLength = 1024 * 1024;

export function readJson(text: string, limits: Limits): TextDocument {
  return (
    (text.length <= Math.min(maxParsedLength, limits.maxValues) && readWithJsonParse(text, limits)) || readWithJsonReader(text, limits)
  );
}

/** Nothing where the text is broken, or more than its value tells. */
function readWithJsonParse(text: string, { maxDepth }: Limits): TextDocument | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const root = placeJson(text, value, maxDepth);
  return root && new TextDocument(text, "json", { root, value });
}

function readWithJsonReader(text: string, limits: Limits): TextDocument {
  const reader = new JsonReader(text, limits);
  try {
    return new TextDocument(text, "json", { root: reader.read(), duplicateKeys: reader.duplicates });
  } catch (error) {
    if (error instanceof ParseError) return TextDocument.failed(text, "json", error);
    throw error;
  }
}
