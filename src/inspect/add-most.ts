import type { UpperBound } from "./inspection.js";

export function addBounds(a: UpperBound, b: UpperBound): UpperBound {
  if (a === "unbounded" || b === "unbounded") return "unbounded";
  return a === null || b === null ? null : a + b;
}
