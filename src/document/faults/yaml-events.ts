import { YAMLException, type Event } from "js-yaml";
import { parseLeniently } from "../yaml/yaml-relax.js";

/** An entry nested deeper is left to the slow parser. */
const maxEntryDepth = 100;

/** As the fast parser sees it: most entries of a broken file are sound. */
export function parseIfValid(text: string): readonly Event[] | undefined {
  try {
    return parseLeniently(text, () => maxEntryDepth);
  } catch (error) {
    if (error instanceof YAMLException) return undefined;
    throw error;
  }
}
