import type { Machine } from "../../src/machine/machine.js";
import { machinePack } from "../simulate/machine-pack.js";

/** A machine as a pack whose even states append to `log` and whose odd ones replace `note`. */
export function artifactPack(machine: Machine): string {
  const pack = JSON.parse(machinePack(machine)) as {
    workflow: { states: Record<string, Record<string, unknown>> };
  };
  for (const [index, state] of Object.values(pack.workflow.states).entries()) {
    state["artifacts"] =
      index % 2 === 0 ? { log: { type: "text/plain", mode: "append" } } : { note: { type: "text/plain" } };
  }
  return JSON.stringify(pack);
}
