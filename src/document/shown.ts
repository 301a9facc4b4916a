import { escapeCharacter } from "../words/escape-character.js";
import { unicodeSpaces } from "./strange-space.js";

/**
 * What would change the line it is shown in, and spaces that look like plain ones. ZWJ and ZWNJ stay, as in every report:
 * emoji and several scripts need them.
 */
const unprintablePattern = () =>
  new RegExp(`(?![\\u{200c}\\u{200d}])[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}${unicodeSpaces}]`, "gu");
const maxQuotedLength = 40;

/** A part of a file, as it is written there, as a message may show it: short, on one line, and harmless to a terminal. */
export function quoteSource(written: string): string {
  const safe = escapeUnprintable(truncate(written));
  return /^"(?:\\"|[^"])+"$/.test(safe) ? safe : `"${safe.replaceAll('"', '\\"')}"`;
}

/** The same for a text that was read from a file, in which a backslash stands for itself. */
export function quoteValue(text: string): string {
  return escapeUnprintable(JSON.stringify(truncate(text)));
}

/** Most text is plain: told without the pattern above, which takes long to compile. */
function escapeUnprintable(text: string): string {
  return /^[ -~]*$/.test(text) ? text : text.replace(unprintablePattern(), escapeCharacter);
}

function truncate(text: string): string {
  const short = [...text.slice(0, 2 * maxQuotedLength)].slice(0, maxQuotedLength).join("");
  return short.length < text.length ? short + "…" : short;
}
