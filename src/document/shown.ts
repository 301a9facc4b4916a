import { escapeCharacter } from "../words/escape-character.js";

/** ZWJ and ZWNJ stay, as in every report: emoji and several scripts need them. */
const unprintable = () => /(?![\u{200c}\u{200d}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const longestShown = 40;

/** Text of the file as a message may show it: short, on one line, and harmless to a terminal. */
export function shown(text: string): string {
  const short = [...text.slice(0, 2 * longestShown)].slice(0, longestShown).join("");
  const cut = short.length < text.length ? short + "…" : short;
  const safe = cut.replace(unprintable(), escapeCharacter);
  return /^"(?:\\"|[^"])+"$/.test(safe) ? safe : `"${safe.replaceAll('"', '\\"')}"`;
}
