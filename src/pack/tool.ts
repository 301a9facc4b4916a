import type { Place } from "../diagnostic.js";
import { type Key, type MappingNode, type Node, placeOf } from "../document/node.js";
import type { Unclear } from "../schema/unclear.js";
import { asMapping, Text, textsOf, Whole } from "../document/spelled-values.js";

/** A function that prompts may let the model call. */
export interface Tool {
  /** What prompts list it by. */
  readonly key: Key;
  /** Absent when the tool is not an object. */
  readonly node: MappingNode | undefined;
  readonly isUnclear: boolean;
  /** What the model calls it by; as a rule the same as its key. */
  readonly name: Text | undefined;
  /** Absent when it is missing or is no object. */
  readonly parameters: MappingNode | undefined;
}

/** How a prompt uses its tools. */
export interface ToolPolicy {
  readonly at: Place;
  readonly toolChoice: Text | undefined;
  /** Of one turn. */
  readonly maxRounds: Whole | undefined;
  /** Whether `max_rounds` is written, and could not be read. */
  readonly maxRoundsUnclear: boolean;
  readonly maxCallsPerTurn: Whole | undefined;
  readonly blocklist: readonly Text[];
}

export function readTool(key: Key, value: Node, unclear: Unclear): Tool {
  const node = asMapping(value);
  return {
    key,
    node,
    isUnclear: unclear.has(value),
    name: Text.of(node?.get("name")),
    parameters: asMapping(node?.get("parameters")),
  };
}

export function readToolPolicy(node: Node | undefined): ToolPolicy | undefined {
  if (node?.kind !== "mapping") return undefined;
  const maxRounds = Whole.of(node.get("max_rounds"));
  return {
    at: placeOf(node),
    toolChoice: Text.of(node.get("tool_choice")),
    maxRounds,
    maxRoundsUnclear: maxRounds === undefined && node.get("max_rounds") !== undefined,
    maxCallsPerTurn: Whole.of(node.get("max_tool_calls_per_turn")),
    blocklist: textsOf(node.get("blocklist")),
  };
}
