export function isLineBreak(code: number): boolean {
  return code === 10 || code === 13;
}

/** Behind the line break that stands here; `at` itself where none does. */
export function skipLineBreak(text: string, at: number): number {
  if (text.startsWith("\r\n", at)) return at + 2;
  return isLineBreak(text.charCodeAt(at)) ? at + 1 : at;
}
