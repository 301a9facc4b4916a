const secondsByUnit: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 };

/** Seconds of a duration such as `120s` or `1m30s`; a bare number counts seconds. */
export function durationSeconds(value: string | number): number | undefined {
  if (typeof value === "number") return value;
  const text = value.trim();
  if (/^\d{1,9}(?:\.\d{1,9})?$/u.test(text)) return Number(text);
  if (!/^(?:\d{1,9}(?:\.\d{1,9})?(?:ms|s|m|h|d))+$/u.test(text)) return undefined;
  let seconds = 0;
  for (const [, number, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/gu)) {
    seconds += Number(number) * (secondsByUnit[unit ?? ""] ?? 0);
  }
  return seconds;
}
