import { lazy } from "./collections.js";
import { maskSecrets } from "./secrets.js";

/** Steers a terminal or a reader's eye instead of being read: controls, bidi overrides, blanks that are not spaces, lone surrogates. */
const invisibleCharacter = () =>
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u{2800}\u{fff9}-\u{fffc}\u{1d159}]/gu;

/** Marks that change how their neighbours look: joiners in emoji and where RFC 5892 allows them, and choices of a form. */
const neededMark = lazy(() => {
  const virama = String.raw`[\u{94d}\u{9cd}\u{a4d}\u{acd}\u{b4d}\u{bcd}\u{c4d}\u{ccd}\u{d4d}\u{dca}\u{1039}\u{103a}\u{17d2}]`;
  const cursive = String.raw`[\p{scx=Arabic}\p{scx=Syriac}\p{scx=Mongolian}]`;
  const places = [
    String.raw`(?<=${virama})[\u{200c}\u{200d}]|\u{200d}(?=${virama})|(?<=${cursive})\u{200c}(?=${cursive})`,
    String.raw`(?<=\p{ExtPict}[\p{EMod}\u{fe0f}]?)\u{200d}(?=\p{ExtPict})`,
    String.raw`(?<=\p{ExtPict})[\u{fe0e}\u{fe0f}]|(?<=[0-9#*])\u{fe0f}(?=\u{20e3})`,
    String.raw`(?<=\p{Script=Han})[\u{fe00}-\u{fe02}\u{e0100}-\u{e01ef}]`,
    String.raw`(?<=\p{Script=Mongolian})[\u{180b}-\u{180d}\u{180f}]`,
  ];
  return new RegExp(places.join("|"), "uy");
});

/** Whether the invisible character at this index does something for the text around it. */
export function isNeededMark(text: string, at: number): boolean {
  // Line breaks are frequent, and the pattern takes milliseconds to compile.
  if (text.charCodeAt(at) < 0x180b) return false;
  const pattern = neededMark();
  pattern.lastIndex = at;
  return pattern.test(text);
}

function replaceInvisible(text: string, respell: (character: string) => string): string {
  return text.replace(invisibleCharacter(), (character, at: number) =>
    isNeededMark(text, at) ? character : respell(character),
  );
}

export function stripInvisible(text: string): string {
  return text.replace(invisibleCharacter(), "");
}

/** Matches most text, without the pattern above, which takes a millisecond to compile. */
const printableAscii = /^[ -~]*$/;

const shortEscapes = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

/** The text on one line, with everything invisible written as an escape, and secrets masked. */
export function escapeInvisible(text: string): string {
  const safe = maskSecrets(text);
  if (printableAscii.test(safe)) return safe;
  return replaceInvisible(safe, (character) => shortEscapes.get(character) ?? escapeCharacter(character));
}

/** Like `JSON.stringify`, but masks secrets, and escapes invisible characters and commands to CI runners; 0 means one line. */
export function formatJson(value: unknown, indent: 0 | 2 = 2): string {
  return indent === 0 ? maskSecrets(exactJson(value)) : [...jsonPieces(value)].join("");
}

/** The same without a mask, for a program that works with the values. */
export function exactJson(value: unknown, indent: 0 | 2 = 0): string {
  return escapeJson(`${JSON.stringify(value, null, indent)}\n`);
}

/** Deep enough for the results of SARIF. */
const splitDepth = 4;

/** The same in pieces, so that a large report is never in memory as a whole. Any iterable is a list. */
export function* jsonPieces(value: unknown): Generator<string> {
  let piece = "";
  for (const part of jsonParts(value, "\n", splitDepth)) {
    piece += part;
    if (piece.length < 2 ** 16) continue;
    yield maskSecrets(escapeJson(piece));
    piece = "";
  }
  yield maskSecrets(escapeJson(`${piece}\n`));
}

/** No string is in two parts, so each can be escaped alone. `line` begins a line that is indented like the value's. */
function* jsonParts(value: unknown, line: string, depth: number): Generator<string> {
  if (depth === 0 || typeof value !== "object" || value === null) {
    yield (JSON.stringify(value, null, 2) ?? "null").replaceAll("\n", line);
    return;
  }
  const [open, close, parts] =
    Symbol.iterator in value
      ? ["[", "]", itemsWithoutKeys(value as Iterable<unknown>)]
      : ["{", "}", Object.entries(value).filter(([, part]) => part !== undefined)];
  const inner = `${line}  `;
  let before = open;
  for (const [key, part] of parts) {
    yield key === undefined ? before + inner : `${before}${inner}${JSON.stringify(key)}: `;
    yield* jsonParts(part, inner, depth - 1);
    before = ",";
  }
  yield before === open ? open + close : line + close;
}

function* itemsWithoutKeys(items: Iterable<unknown>): Generator<readonly [undefined, unknown]> {
  for (const item of items) yield [undefined, item];
}

function escapeJson(json: string): string {
  return replaceInvisible(escapeLogCommands(json, escapeUnits), (character) =>
    character === "\n" ? character : escapeUnits(character),
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

/** The last character of a CI command marker: `::` that starts a line, `##[` or Azure's `##vso[` anywhere. */
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

/** Safe between tags, inside quotes and in the log of a runner. The caller escapes control characters. */
export function escapeXml(text: string): string {
  const escaped = text.replace(/[&<>"']/g, (character) => entities[character] ?? "");
  return escapeLogCommands(escaped, (sign) => `&#${sign.charCodeAt(0)};`);
}

export function isWebUrl(text: string | undefined): text is string {
  return text !== undefined && /^https?:\/\/[!-;=?-~]+$/.test(text);
}

/** Lines of Markdown: a fence longer than any run of backticks inside it. */
export function fenced(language: string, lines: readonly string[]): string[] {
  const visible = lines.map(escapeInvisible);
  const runs = visible.flatMap((line) => line.match(/`+/g) ?? []);
  const longest = runs.reduce((most, run) => Math.max(most, run.length), 2);
  const fence = "`".repeat(longest + 1);
  return [`${fence}${language}`, ...visible, fence];
}
