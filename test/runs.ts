import process from "node:process";

/** Whether this is `npm run test:full`. */
export const isFull = process.env["FULL"] === "1";

/** How often a property is tried: `npm test` makes do with a twentieth or less, but never with fewer than five. */
export function runs(count: number, share = 20): number {
  return isFull ? count : Math.min(count, Math.max(5, Math.ceil(count / share)));
}
