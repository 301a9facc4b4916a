const unicodeNameCharacter = () => /[\p{L}\p{N}\p{M}]/u;

export function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0xfeff;
}

export function skipSpaces(text: string, at: number, limit: number): number {
  while (at < limit && isSpace(text, at)) at++;
  return at;
}

/** Whether a backslash takes away the meaning of what stands at `at`; two are a backslash. */
export function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text[start - 1] === "\\") start--;
  return (at - start) % 2 === 1;
}

export function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

/** How many code units of a name stand at `at`: 0 when none. */
function nameCharacterLength(text: string, at: number): number {
  const code = text.codePointAt(at);
  if (code === undefined) return 0;
  if (code < 0x80) {
    const lower = code | 32;
    return (lower >= 97 && lower <= 122) || isDigit(text, at) || code === 95 ? 1 : 0;
  }
  const character = String.fromCodePoint(code);
  return unicodeNameCharacter().test(character) ? character.length : 0;
}

/** Where the segment of a path that starts at `at` ends; `at` itself when none starts there. A hyphen only joins. */
export function segmentEnd(text: string, at: number, limit: number): number {
  let end = at;
  for (;;) {
    const joined = end > at && text[end] === "-" ? 1 : 0;
    const size = end + joined < limit ? nameCharacterLength(text, end + joined) : 0;
    if (size === 0) return end;
    end += joined + size;
  }
}

/** As `segmentEnd`, for the name that a path starts with: it does not begin with a digit. */
export function nameEnd(text: string, at: number, limit: number): number {
  return isDigit(text, at) ? at : segmentEnd(text, at, limit);
}
