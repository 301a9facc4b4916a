import { escapeCharacter } from "../words/escape-character.js";
import { strangeSpaces } from "./strange-space.js";

/**
 * What would change the line it is shown in, and spaces that look like plain ones. ZWJ and ZWNJ stay, as in every report:
 * emoji and several scripts need them.
 */
const unprintable = () =>
  new RegExp(`(?![\\u{200c}\\u{200d}])[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}${strangeSpaces}]`, "gu");
const longestShown = 40;

/** A part of a file, as it is written there, as a message may show it: short, on one line, and harmless to a terminal. */
export function shown(written: string): string {
  const safe = escaped(cut(written));
  return /^"(?:\\"|[^"])+"$/.test(safe) ? safe : `"${safe.replaceAll('"', '\\"')}"`;
}

/** The same for a text that was read from a file, in which a backslash stands for itself. */
export function quoted(text: string): string {
  return escaped(JSON.stringify(cut(text)));
}

/** Most text is plain: told without the pattern above, which takes long to compile. */
function escaped(text: string): string {
  return /^[ -~]*$/.test(text) ? text : text.replace(unprintable(), escapeCharacter);
}

function cut(text: string): string {
  const short = [...text.slice(0, 2 * longestShown)].slice(0, longestShown).join("");
  return short.length < text.length ? short + "…" : short;
}
