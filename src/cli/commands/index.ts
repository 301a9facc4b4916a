import type { DefineCommand } from "./usage.js";
import { defineCompletion, defineExplain, defineInit, defineRules, defineSchema } from "./tool-commands.js";
import {
  defineCoverage,
  defineDiff,
  defineGraph,
  defineInspect,
  definePaths,
  defineReplay,
  defineSimulate,
  defineStep,
} from "./workflow-commands.js";
import { defineLint, defineLsp, defineValidate } from "./lint-commands.js";

/** By name, in the order of the help. */
export const commands: ReadonlyMap<string, DefineCommand> = new Map([
  ["lint", defineLint],
  ["validate", defineValidate],
  ["graph", defineGraph],
  ["inspect", defineInspect],
  ["diff", defineDiff],
  ["simulate", defineSimulate],
  ["replay", defineReplay],
  ["paths", definePaths],
  ["coverage", defineCoverage],
  ["step", defineStep],
  ["rules", defineRules],
  ["explain", defineExplain],
  ["schema", defineSchema],
  ["lsp", defineLsp],
  ["init", defineInit],
  ["completion", defineCompletion],
]);
