/** What YAML takes for true or false, or took for it before version 1.2. */
export const booleanWord = /^(?:(true|yes|on|y)|false|no|off|n)$/i;

/** What such a word says; nothing of any other. */
export function parseBooleanWord(text: string): boolean | undefined {
  const match = booleanWord.exec(text);
  return match === null ? undefined : match[1] !== undefined;
}
