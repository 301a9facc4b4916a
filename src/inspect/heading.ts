import { clipText } from "../text/clip-text.js";
import type { Paint } from "../text/paint.js";
import { escapeInvisible } from "../text/visible-text.js";
import type { Inspection } from "./inspection.js";

/** A title that long is no title. */
const maxTitleLength = 200;

/** The file, and what the pack calls itself. */
export function heading({ file, id, name, version }: Inspection, paint: Paint): readonly string[] {
  const title = [id, version].flatMap((part) => (part === null ? [] : escapeInvisible(part))).join(" ");
  const full = [title, ...(name === null ? [] : [escapeInvisible(name)])].filter((part) => part !== "").join(": ");
  return [paint.path(escapeInvisible(file)), ...(full === "" ? [] : [clipText(full, maxTitleLength)])];
}
