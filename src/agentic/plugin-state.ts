import type { Place } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import {
  asMapping,
  type Key,
  LocatedString,
  type MappingNode,
  numberOf,
  placeOf,
  type ScalarNode,
  stringOf,
} from "../document/node.js";
import { parseTimestamp } from "../text/parse-scalar.js";

export type StateRun = ReturnType<typeof readStateRun>;

export class PluginState {
  readonly runs: readonly StateRun[];
  /** Absent where its value is not an object. */
  readonly runsKey: Key | undefined;
  readonly lastRunId: LocatedString | undefined;
  /** When its last run was updated. */
  readonly updatedAt: number | undefined;
  private readonly byName: ReadonlyMap<string, StateRun>;

  constructor(readonly document: Document) {
    const root = asMapping(document.root);
    const entry = root?.entry("runs");
    const runs = asMapping(entry?.value);
    this.runs = (runs?.entries ?? []).flatMap(({ key, value }) =>
      value.kind === "mapping" ? readStateRun(key, value) : [],
    );
    this.runsKey = runs && entry?.key;
    this.lastRunId = LocatedString.of(root?.get("last_run_id"));
    this.updatedAt = latest(this.runs.map(({ updatedAt }) => updatedAt));
    this.byName = new Map(this.runs.map((run) => [run.name.text, run]));
  }

  /** Whether it has the run, readable or not. */
  hasRun(runId: string): boolean {
    return asMapping(asMapping(this.document.root)?.get("runs"))?.get(runId) !== undefined;
  }

  maxSteps(runId: string): number | undefined {
    return numberOf(this.byName.get(runId)?.node.get("max_steps"));
  }
}

function readStateRun(name: Key, node: MappingNode) {
  const updatedAt = stringOf(node.get("updated_at"));
  return {
    name,
    node,
    status: LocatedString.of(node.get("status")),
    /** In seconds, as are other times here. */
    updatedAt: updatedAt === undefined ? undefined : parseTimestamp(updatedAt),
  };
}

/** The latest of some times; undefined where there are none. */
export function latest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : known.reduce((a, b) => Math.max(a, b));
}

export function numberField({ node }: StateRun, name: string): { at: Place; value: number } | undefined {
  const field = node.get(name);
  const value = numberOf(field);
  return field === undefined || value === undefined ? undefined : { at: placeOf(field), value };
}

/** A field that says what the run waits for. Null, 0 and "" mean that it was cleared. */
export function pendingField({ node }: StateRun, name: string): ScalarNode | undefined {
  const field = node.get(name);
  if (field?.kind !== "scalar") return undefined;
  const { value } = field;
  return value === null || value === 0 || value === "" ? undefined : field;
}
