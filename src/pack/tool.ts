import type { Place } from "../diagnostic.js";
import { type Key, type MappingNode, type Node, placeOf } from "../document/node.js";
import type { Unclear } from "../schema/unclear.js";
import { asMapping, LocatedString, locatedStringsOf, LocatedCount } from "../document/spelled-values.js";

/** A function that prompts may let the model call. */
export interface Tool {
  /** What prompts list it by. */
  readonly key: Key;
  /** Absent when the tool is not an object. */
  readonly node: MappingNode | undefined;
  readonly isUnclear: boolean;
  /** What the model calls it by; as a rule the same as its key. */
  readonly name: LocatedString | undefined;
  /** Absent when it is missing or is no object. */
  readonly parameters: MappingNode | undefined;
}

/** How a prompt uses its tools. */
export interface ToolPolicy {
  readonly at: Place;
  readonly toolChoice: LocatedString | undefined;
  /** Of one turn. */
  readonly maxRounds: LocatedCount | undefined;
  /** Whether `max_rounds` is written, and could not be read. */
  readonly maxRoundsUnclear: boolean;
  readonly maxCallsPerTurn: LocatedCount | undefined;
  readonly blocklist: readonly LocatedString[];
}

export function readTool(key: Key, value: Node, unclear: Unclear): Tool {
  const node = asMapping(value);
  return {
    key,
    node,
    isUnclear: unclear.has(value),
    name: LocatedString.of(node?.get("name")),
    parameters: asMapping(node?.get("parameters")),
  };
}

export function readToolPolicy(node: Node | undefined): ToolPolicy | undefined {
  if (node?.kind !== "mapping") return undefined;
  const maxRounds = LocatedCount.of(node.get("max_rounds"));
  return {
    at: placeOf(node),
    toolChoice: LocatedString.of(node.get("tool_choice")),
    maxRounds,
    maxRoundsUnclear: maxRounds === undefined && node.get("max_rounds") !== undefined,
    maxCallsPerTurn: LocatedCount.of(node.get("max_tool_calls_per_turn")),
    blocklist: locatedStringsOf(node.get("blocklist")),
  };
}
