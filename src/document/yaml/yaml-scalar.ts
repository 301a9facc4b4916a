import { getScalarValue, SCALAR_STYLE, type ScalarEvent } from "js-yaml";
import type { ScalarStyle, ScalarValue } from "../node.js";
import { ParseError } from "../refusal.js";
import { quoteSource } from "../shown.js";

export const scalarStyles: Readonly<Record<ScalarEvent["style"], ScalarStyle>> = {
  [SCALAR_STYLE.PLAIN]: "plain",
  [SCALAR_STYLE.SINGLE_QUOTED]: "single",
  [SCALAR_STYLE.DOUBLE_QUOTED]: "double",
  [SCALAR_STYLE.LITERAL_BLOCK]: "literal",
  [SCALAR_STYLE.FOLDED_BLOCK]: "folded",
};

/** The characters of a scalar, before its type is known. */
export function scalarText(text: string, event: ScalarEvent): string {
  if (event.style === SCALAR_STYLE.DOUBLE_QUOTED && !event.fast) checkEscapes(text, event);
  return getScalarValue(text, event);
}

const escapes = /\\(?:U([0-9a-fA-F]{8})|[\s\S])/g;

/** The parser lets escapes past the last code point through. */
function checkEscapes(text: string, event: ScalarEvent): void {
  for (const match of text.slice(event.valueStart, event.valueEnd).matchAll(escapes)) {
    const digits = match[1];
    if (digits === undefined || Number.parseInt(digits, 16) <= 0x10ffff) continue;
    const start = event.valueStart + match.index;
    throw ParseError.syntaxErrorAt(
      { start, end: start + 10 },
      `${quoteSource(match[0])} is not a character of Unicode.`,
    );
  }
}

/** The value of a scalar in the core schema of YAML 1.2. A tag that its text does not fit is ignored. */
export function resolveScalar(characters: string, isPlain: boolean, tag: string | undefined): ScalarValue {
  switch (tag) {
    case "str":
    case "!":
      return characters;
    case "null":
      return resolveNull(characters) ? null : characters;
    case "bool":
      return resolveBool(characters) ?? characters;
    case "int":
    case "float":
      return resolveNumber(characters) ?? characters;
    default:
      return isPlain ? resolvePlain(characters) : characters;
  }
}

function resolvePlain(characters: string): ScalarValue {
  if (!/^[-+.0-9~nNtTfF]|^$/.test(characters)) return characters;
  if (resolveNull(characters)) return null;
  return resolveBool(characters) ?? resolveNumber(characters) ?? characters;
}

function resolveNull(characters: string): boolean {
  return /^(?:~|null|Null|NULL|)$/.test(characters);
}

function resolveBool(characters: string): boolean | undefined {
  if (/^(?:true|True|TRUE)$/.test(characters)) return true;
  return /^(?:false|False|FALSE)$/.test(characters) ? false : undefined;
}

const decimal = /^[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$/;

/** Nothing for a number too large to hold: as text it is at least shown as it was written. */
function resolveNumber(characters: string): number | undefined {
  if (decimal.test(characters) || /^0(?:o[0-7]+|x[0-9a-fA-F]+)$/.test(characters)) {
    const value = Number(characters);
    return Number.isFinite(value) ? value : undefined;
  }
  if (/^[-+]?\.(?:inf|Inf|INF)$/.test(characters)) return characters.startsWith("-") ? -Infinity : Infinity;
  return /^\.(?:nan|NaN|NAN)$/.test(characters) ? NaN : undefined;
}
