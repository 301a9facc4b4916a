import type { Place } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import {
  asMapping,
  hasProperty,
  type Key,
  LocatedString,
  type MappingNode,
  type Node,
  numberOf,
  placeOf,
  type ScalarNode,
} from "../document/node.js";

interface StateRun {
  readonly name: Key;
  readonly node: MappingNode;
  readonly status: LocatedString | undefined;
}

export class PluginState {
  readonly runs: readonly StateRun[];
  private readonly byName: ReadonlyMap<string, StateRun>;

  constructor(readonly document: Document) {
    const runs = asMapping(asMapping(document.root)?.get("runs"));
    this.runs = (runs?.entries ?? []).flatMap(({ key, value }) =>
      value.kind === "mapping"
        ? { name: key, node: value, status: LocatedString.of(value.get("status")) }
        : [],
    );
    this.byName = new Map(this.runs.map((run) => [run.name.text, run]));
  }

  maxSteps(runId: string): number | undefined {
    return numberOf(this.byName.get(runId)?.node.get("max_steps"));
  }
}

/** Whether this is a run file of `promptpack step`. */
export function isStepRunFile(root: Node | undefined): boolean {
  return hasProperty(root, "run_id") && hasProperty(root, "outbox");
}

export function numberField({ node }: StateRun, name: string): { at: Place; value: number } | undefined {
  const field = node.get(name);
  const value = numberOf(field);
  return field === undefined || value === undefined ? undefined : { at: placeOf(field), value };
}

export function pendingField({ node }: StateRun, name: string): ScalarNode | undefined {
  const value = node.get(name);
  return value?.kind === "scalar" && value.value !== null ? value : undefined;
}
