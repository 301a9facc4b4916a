import fc from "fast-check";
import { expect, it } from "vitest";
import { parseTimestamp } from "../../src/text/parse-scalar.js";

it("agrees with the calendar of the platform", () => {
  fc.assert(
    fc.property(
      fc.date({
        min: new Date("0001-01-01T00:00:00Z"),
        max: new Date("9999-12-31T23:59:59Z"),
        noInvalidDate: true,
      }),
      (date) => {
        expect(parseTimestamp(date.toISOString())).toBeCloseTo(date.getTime() / 1000, 3);
      },
    ),
  );
});

it.each([
  ["2026-02-16T12:00:00+02:00", Date.parse("2026-02-16T10:00:00Z") / 1000],
  ["2026-02-16T12:00:00-0530", Date.parse("2026-02-16T17:30:00Z") / 1000],
  ["2024-02-29T00:00:00z", Date.parse("2024-02-29T00:00:00Z") / 1000],
  ["2023-02-29T00:00:00Z", undefined],
  ["2026-13-01T00:00:00Z", undefined],
  ["2026-02-16T24:00:00Z", undefined],
  ["2026-02-16T12:00:00", undefined],
  ["yesterday", undefined],
])("%s", (text, instant) => {
  expect(parseTimestamp(text)).toBe(instant);
});
