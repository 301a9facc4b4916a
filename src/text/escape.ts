/**
 * Characters that steer a terminal or a reader's eye instead of being read: controls, bidi overrides, invisible
 * marks, lone surrogates. ZWJ and ZWNJ stay, since emoji and several scripts need them, and so do the marks that choose
 * a form of the emoji, the Han or the Mongolian character before them.
 */
const invisibleCharacter = () =>
  /(?![\u{200c}\u{200d}])(?!(?<=\p{Emoji})[\u{fe0e}\u{fe0f}]|(?<=\p{Script=Han})[\u{fe00}-\u{fe02}\u{e0100}-\u{e01ef}]|(?<=\p{Script=Mongolian})[\u{180b}-\u{180d}\u{180f}])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u{fff9}-\u{fffb}]/gu;

/** Matches most text, without the pattern above, which takes a millisecond to compile. */
const printableAscii = /^[ -~]*$/;

const shortEscapes = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

/** The text on one line, with everything invisible written as an escape. */
export function escapeInvisible(text: string): string {
  if (printableAscii.test(text)) return text;
  return text.replace(
    invisibleCharacter(),
    (character) => shortEscapes.get(character) ?? escapeCharacter(character),
  );
}

/**
 * Like `JSON.stringify`, with invisible characters and commands to CI runners escaped; `indent` 0 means one line.
 */
export function formatJson(value: unknown, indent = 2): string {
  const json = escapeLogCommands(JSON.stringify(value, null, indent), escapeUnits);
  return (
    json.replace(invisibleCharacter(), (character) =>
      character === "\n" ? character : escapeUnits(character),
    ) + "\n"
  );
}

/** JSON escapes each half of a surrogate pair. */
function escapeUnits(character: string): string {
  return character.split("").map(escapeCharacter).join("");
}

/** `\u200b`, `\u{e0001}`. */
export function escapeCharacter(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return character.length > 1 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
}

/**
 * The last character of what starts a command in the log of a CI runner: `::` at the start of a line, indented or not,
 * and `##[` or Azure's `##vso[` anywhere.
 */
const commandMarker = () => /(?<=^(?:[^\S\n\r\u2028\u2029]|\u0085)*:):|(?<=##(?:vso)?)\[/gmu;

/** Reads the same to a person, and contains no command for a runner. */
export function neutralizeLogCommands(text: string): string {
  return escapeLogCommands(text, (sign) => ` ${sign}`);
}

/** For formats that can escape a character. */
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
 * Text that is safe between tags, inside quotes and in the log of a runner. The caller escapes control characters.
 */
export function escapeXml(text: string): string {
  const escaped = text.replace(/[&<>"']/g, (character) => entities[character] ?? "");
  return escapeLogCommands(escaped, (sign) => `&#${sign.charCodeAt(0)};`);
}

const webUrl = /^https?:\/\/[!-;=?-~]+$/;

/** Whether a text is an address that needs no escaping inside a link. */
export function isWebUrl(text: string | undefined): text is string {
  return text !== undefined && webUrl.test(text);
}
