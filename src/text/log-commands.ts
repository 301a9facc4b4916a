/**
 * The last sign of what begins a command where a CI runner reads it in a log: `::` at the start of a line, be it indented,
 * and `##[` or Azure's `##vso[` anywhere.
 */
const lastSign = () => /(?<=^(?:[^\S\n\r\u2028\u2029]|\u0085)*:):|(?<=##(?:vso)?)\[/gmu;

/** The text as a person reads it, and with nothing in it for a runner to obey. */
export function withoutCommands(text: string): string {
  return respellCommands(text, (sign) => ` ${sign}`);
}

/** For formats that can write a sign in another way, and still mean it. */
export function respellCommands(text: string, respell: (sign: string) => string): string {
  return text.replace(lastSign(), respell);
}
