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
  return text.replace(
    invisibleCharacter(),
    (character) => shortEscapes.get(character) ?? escapeCharacter(character),
  );
}

/**
 * JSON that means the same as `JSON.stringify` gives, and carries nothing that would not be seen, nor a command to a
 * runner; `indent` 0: on one line.
 */
export function formatJson(value: unknown, indent = 2): string {
  const json = escapeLogCommands(JSON.stringify(value, null, indent), escapeUnits);
  return (
    json.replace(invisibleCharacter(), (character) =>
      character === "\n" ? character : escapeUnits(character),
    ) + "\n"
  );
}

/** JSON knows no escape for a character of two units, but one for each of them. */
function escapeUnits(character: string): string {
  return character.split("").map(escapeCharacter).join("");
}

/** A character as an escape that shows which it is: `\u200b`, `\u{e0001}`. */
export function escapeCharacter(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return character.length > 1 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
}

/**
 * The last sign of what begins a command where a CI runner reads it in a log: `::` at the start of a line, be it indented,
 * and `##[` or Azure's `##vso[` anywhere.
 */
const commandMarker = () => /(?<=^(?:[^\S\n\r\u2028\u2029]|\u0085)*:):|(?<=##(?:vso)?)\[/gmu;

/** The text as a person reads it, and with nothing in it for a runner to obey. */
export function neutralizeLogCommands(text: string): string {
  return escapeLogCommands(text, (sign) => ` ${sign}`);
}

/** For formats that can write a sign in another way, and still mean it. */
export function escapeLogCommands(text: string, respell: (sign: string) => string): string {
  return text.replace(commandMarker(), respell);
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/**
 * Text that stays text between tags, inside quotes and in the log of a runner. Control characters are the caller's to make
 * visible.
 */
export function escapeXml(text: string): string {
  const escaped = text.replace(/[&<>"']/g, (character) => entities[character] ?? "");
  return escapeLogCommands(escaped, (sign) => `&#${sign.charCodeAt(0)};`);
}

const webUrl = /^https?:\/\/[!-;=?-~]+$/;

/** Whether a text is an address that can be written into a link as it is. */
export function isWebUrl(text: string | undefined): text is string {
  return text !== undefined && webUrl.test(text);
}
