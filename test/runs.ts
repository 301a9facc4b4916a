import process from "node:process";

/** Whether this is `npm run test:full`. */
export const isFull = process.env["FULL"] === "1";

/** The cases that `npm test` tries of a list whose cases all take long. */
export function few<Case>(cases: readonly Case[], count = 2): readonly Case[] {
  return isFull ? cases : cases.slice(0, count);
}

/** How often a property is tried: `npm test` makes do with a twentieth or less, but never with fewer than five. */
export function runs(count: number, share = 20): number {
  return isFull ? count : Math.min(count, Math.max(5, Math.ceil(count / share)));
}
