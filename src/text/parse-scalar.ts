const rfc3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9})\d*)?(?:[Zz]|([-+])(\d{2}):?(\d{2}))$/;

/** Seconds since 1970 of an RFC 3339 time, fractions included. */
export function parseTimestamp(text: string): number | undefined {
  const match = rfc3339.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const date = new Date(0);
  const midnight = date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  // 60 is a leap second.
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const fraction = match[7] === undefined ? 0 : Number(`0.${match[7]}`);
  const offset = (Number(match[9] ?? 0) * 60 + Number(match[10] ?? 0)) * (match[8] === "-" ? -60 : 60);
  return midnight / 1000 + hour * 3600 + minute * 60 + second + fraction - offset;
}

/** Booleans of YAML, before version 1.2 included. */
export const booleanWord = /^(?:(true|yes|on|y)|false|no|off|n)$/i;

export function parseBooleanWord(text: string): boolean | undefined {
  const match = booleanWord.exec(text);
  return match === null ? undefined : match[1] !== undefined;
}
