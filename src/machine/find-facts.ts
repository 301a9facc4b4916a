import { ExactFacts } from "./exact/exact-facts.js";
import { explore } from "./exact/explore.js";
import type { Facts } from "./facts.js";
import type { Machine } from "./machine.js";
import { structuralFacts } from "./structural/structural-facts.js";

/** Explores every run where that takes no more than a fixed amount of work; otherwise the structure must do. */
export function findFacts(machine: Machine): Facts {
  const exploration = explore(machine);
  return exploration === undefined ? structuralFacts(machine) : new ExactFacts(machine, exploration);
}
