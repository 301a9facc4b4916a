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
