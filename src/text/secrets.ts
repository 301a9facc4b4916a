import { lazy } from "./collections.js";

/** An access key or a private key in a text. */
export interface Secret {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  /** Where the part to mask begins; reports show its first four characters. */
  readonly maskFrom: number;
}

/** No key is shorter. */
const minLength = 20;

/** The fixed beginnings of all forms, or an escape that may spell one. Most texts have neither. */
const hint =
  /sk-|AIza|A[KS]IA|gh[oprsu]_|github_pat_|xox[a-z]-|[rs]k_live_|PRIVATE KEY-----|\\(?:[xuU]|\r?\n)/;

const forms = lazy(() =>
  Object.entries({
    "an OpenAI API key": String.raw`sk-(?:(?:proj|svcacct|admin)-([\w-]{40,10000})|([A-Za-z\d]{48})(?!\w))`,
    "an Anthropic API key": String.raw`sk-ant-(?:[a-z]{2,10}\d\d-)?([\w-]{40,10000})`,
    "a Google API key": String.raw`AIza([\w-]{35})(?!\w)`,
    "an AWS access key ID": String.raw`A[KS]IA([A-Z\d]{16})(?!\w)`,
    "a GitHub token": String.raw`(?:gh[oprsu]_([A-Za-z\d]{36})|github_pat_([A-Za-z\d]{22}_[A-Za-z\d]{59}))(?!\w)`,
    "a Slack token": String.raw`xox[abeoprs]-((?:\d{8,14}-){1,3}[A-Za-z\d]{20,64})(?!\w)`,
    "a Stripe live key": String.raw`[rs]k_live_([A-Za-z\d]{20,10000})(?!\w)`,
  }).map(([kind, form]) => ({ kind, pattern: new RegExp(String.raw`(?<!\w)${form}`, "g") })),
);

const letterEscape = String.raw`\\{1,99}[nrt]`;
const codeEscape = String.raw`\\+(?:x[\da-f]{2}|u[\da-f]{4}|U[\da-f]{8})`;
const lineContinuation = String.raw`\\\r?\n[ \t]*`;

/** Engines keep every turn of a repetition on a stack, which overflows in a text of megabytes. */
const maxUnits = 10_000;

/** Words in which escapes may spell characters. Another escape ends a word: the `n` of `\n` is no part of the next one. */
const unit = String.raw`(?:[\w-]|(?<!\\)(?:${codeEscape}|${lineContinuation}))`;
const longWord = lazy(
  () => new RegExp(String.raw`(?<!\\)\\+[^\\xu\r\n]|(${unit}{${minLength},${maxUnits}})`, "gi"),
);
const restOfWord = lazy(() => new RegExp(`${unit}{1,${maxUnits}}`, "iy"));
const spelled = lazy(() => new RegExp(`(${codeEscape})|${lineContinuation}|[^]`, "gi"));

/** The body of a private key, also as JSON and YAML escape it: none is longer. */
const privateKey = lazy(() => {
  const gap = String.raw`(?:\s|${letterEscape})`;
  const digit = String.raw`(?:[A-Za-z\d+/=]|\\{1,99}(?:/|u00[23][bdfBDF]))`;
  const header = String.raw`(?:${gap}{1,100}[A-Za-z-]{2,20}: [\w,. -]{1,100}){0,3}`;
  const lines = `${digit}{16,20000}(?:${gap}{1,100}${digit}{16,200}){0,1000}`;
  const body = `${lines}(?:${gap}{1,100}${digit}{1,15}(?=${gap}{0,100}-----END))?`;
  const head = `-----BEGIN (?:[A-Z\\d]{1,12} ){0,3}PRIVATE KEY-----${header}${gap}{0,100}`;
  return new RegExp(`(${head})(${body})`, "g");
});
const minBody = 64;

/** The secrets in a text or in its source, in which escapes may spell them. Takes linear time. */
export function* findSecrets(text: string): Generator<Secret> {
  if (text.length < minLength || !hint.test(text)) return;
  for (const [index, word] of longWordsIn(text)) yield* keysIn(word, index);
  for (const { 1: head = "", 2: body = "", index } of text.matchAll(privateKey())) {
    const digits = body.replace(/\\+u.{4}/g, "+").replace(/\\+[nrt]?|\s+/g, "");
    if (digits.length < minBody || isPlaceholder(digits)) continue;
    const maskFrom = index + head.length;
    yield { kind: "a private key", start: index, end: maskFrom + body.length, maskFrom };
  }
}

function* longWordsIn(text: string): Generator<readonly [number, string]> {
  const [start, rest] = [new RegExp(longWord()), new RegExp(restOfWord())];
  for (let found = start.exec(text); found; found = start.exec(text)) {
    if (!found[1]) continue;
    for (rest.lastIndex = start.lastIndex; rest.test(text);) start.lastIndex = rest.lastIndex;
    yield [found.index, text.slice(found.index, start.lastIndex)];
  }
}

function* keysIn(word: string, at: number): Generator<Secret> {
  const offsets: number[] = [];
  let plain = word;
  if (word.includes("\\")) {
    plain = "";
    for (const { 0: part, 1: escape, index } of word.matchAll(spelled())) {
      if (part.length > 1 && escape === undefined) continue;
      plain += escape ? String.fromCharCode(Number.parseInt(escape.replace(/\\+./, ""), 16)) : part;
      offsets.push(index);
    }
    offsets.push(word.length);
  }
  const offset = (index: number): number => at + (offsets[index] ?? index);
  for (const { kind, pattern } of forms()) {
    for (const { 0: key, 1: one, 2: other, index } of plain.matchAll(pattern)) {
      if (isPlaceholder(one ?? other ?? "")) continue;
      const start = offset(index);
      yield { kind, start, end: offset(index + key.length), maskFrom: start };
    }
  }
}

/** Words that say so, or characters that repeat or count up or down. */
function isPlaceholder(text: string): boolean {
  if (/EXAMPLE|Example|example|TEST|Test|test|XXXX|xxxx/.test(text)) return true;
  let regular = 0;
  for (let i = 1; i < text.length; i++)
    if (Math.abs(text.charCodeAt(i) - text.charCodeAt(i - 1)) <= 1) regular++;
  return regular * 2 > text.length || new Set(text).size < 8;
}

/**
 * The text as it may be shown: of each secret only the first four characters. It stays as long as it is, and what was
 * an escape or the end of a line still is one.
 */
export function maskSecrets(text: string): string {
  let masked = "";
  let at = 0;
  for (const { maskFrom, end } of [...findSecrets(text)].sort((a, b) => a.maskFrom - b.maskFrom)) {
    if (maskFrom < at) continue;
    masked += text.slice(at, maskFrom) + maskAll(text.slice(maskFrom, end));
    at = end;
  }
  return at === 0 ? text : masked + text.slice(at);
}

function maskAll(secret: string): string {
  let shown = 0;
  return secret.replace(/\\+[nrt]|[\w+/=-]/g, (part) => (part.startsWith("\\") || shown++ < 4 ? part : "*"));
}
