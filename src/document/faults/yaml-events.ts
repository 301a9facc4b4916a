import { YAMLException, type Event } from "js-yaml";
import { parseRelaxed } from "../yaml/yaml-relax.js";

/** An entry nested deeper is left to the slow parser. */
const commonDepth = 100;

/** As the fast parser sees it: most entries of a broken file are sound. */
export function eventsOf(text: string): readonly Event[] | undefined {
  try {
    return parseRelaxed(text, () => commonDepth);
  } catch (error) {
    if (error instanceof YAMLException) return undefined;
    throw error;
  }
}
