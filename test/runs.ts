import process from "node:process";

/** Whether this is `npm run test:full`. */
export const isFull = process.env["FULL"] === "1";

/** How often a property is tried: `npm test` makes do with a twentieth, but never with fewer than five. */
export function runs(count: number): number {
  return isFull ? count : Math.min(count, Math.max(5, Math.ceil(count / 20)));
}
