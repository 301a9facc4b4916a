/** What YAML takes for true or false, or took for it before version 1.2. */
export const truthWord = /^(?:(true|yes|on|y)|false|no|off|n)$/i;

/** What such a word says; nothing of any other. */
export function truthOf(text: string): boolean | undefined {
  const match = truthWord.exec(text);
  return match === null ? undefined : match[1] !== undefined;
}
