import type { Most } from "./inspection.js";

export function addMost(a: Most, b: Most): Most {
  if (a === "unbounded" || b === "unbounded") return "unbounded";
  return a === null || b === null ? null : a + b;
}
