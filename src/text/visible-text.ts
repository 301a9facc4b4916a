import { escapeCharacter } from "../words/escape-character.js";
import { escapeLogCommands } from "./log-commands.js";

/**
 * Characters that steer a terminal or a reader's eye instead of being read: controls, bidi overrides, invisible
 * marks, lone surrogates. ZWJ and ZWNJ stay, since emoji and several scripts need them, and so do the marks that choose
 * a form of the emoji, the Han or the Mongolian character before them.
 */
const invisibleCharacter = () =>
  /(?![\u{200c}\u{200d}])(?!(?<=\p{Emoji})[\u{fe0e}\u{fe0f}]|(?<=\p{Script=Han})[\u{fe00}-\u{fe02}\u{e0100}-\u{e01ef}]|(?<=\p{Script=Mongolian})[\u{180b}-\u{180d}\u{180f}])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u{fff9}-\u{fffb}]/gu;

/** Most text: told without the pattern above, which alone takes a millisecond to compile. */
const printableAscii = /^[ -~]*$/;

const shortEscapes = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

/** The text with everything that would not be seen written as an escape, on one line. */
export function escapeInvisible(text: string): string {
  if (printableAscii.test(text)) return text;
  return text.replace(invisibleCharacter(), (character) => shortEscapes.get(character) ?? escapeCharacter(character));
}

/**
 * JSON that means the same as `JSON.stringify` gives, and carries nothing that would not be seen, nor a command to a
 * runner; `indent` 0: on one line.
 */
export function formatJson(value: unknown, indent = 2): string {
  const json = escapeLogCommands(JSON.stringify(value, null, indent), escapeUnits);
  return (
    json.replace(invisibleCharacter(), (character) => (character === "\n" ? character : escapeUnits(character))) + "\n"
  );
}

/** JSON knows no escape for a character of two units, but one for each of them. */
function escapeUnits(character: string): string {
  return character.split("").map(escapeCharacter).join("");
}
