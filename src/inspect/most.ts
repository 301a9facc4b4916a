import type { Most } from "./inspection.js";

/** JSON knows no infinity. */
export function most(number: number | undefined): Most {
  if (number === undefined) return null;
  return number === Infinity ? "unbounded" : number;
}
