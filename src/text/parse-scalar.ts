const rfc3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9})\d*)?(?:[Zz]|([-+])(\d{2}):?(\d{2}))$/;

/** Seconds since 1970 of an RFC 3339 time, fractions included. */
export function parseTimestamp(text: string): number | undefined {
  const match = rfc3339.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const firstOfMonth = daysSince1970(year, month, 1);
  const lastDay = daysSince1970(year, month + 1, 1) - firstOfMonth;
  if (month < 1 || month > 12 || day < 1 || day > lastDay) return undefined;
  // 60 is a leap second.
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const fraction = match[7] === undefined ? 0 : Number(`0.${match[7]}`);
  const offset = (Number(match[9] ?? 0) * 60 + Number(match[10] ?? 0)) * (match[8] === "-" ? -60 : 60);
  const days = firstOfMonth + day - 1;
  return days * 86_400 + hour * 3600 + minute * 60 + second + fraction - offset;
}

/** In the Gregorian calendar, counting years from March so that a leap day comes last; month 13 is the next January. */
function daysSince1970(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return marchYear * 365 + leapDays + dayOfYear - 719_468;
}

/** Booleans of YAML, before version 1.2 included. */
export const booleanWord = /^(?:(true|yes|on|y)|false|no|off|n)$/i;

export function parseBooleanWord(text: string): boolean | undefined {
  const match = booleanWord.exec(text);
  return match === null ? undefined : match[1] !== undefined;
}
