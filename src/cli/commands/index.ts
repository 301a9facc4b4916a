import type { DefineCommand } from "./usage.js";
import { defineCompletion, defineInit } from "./setup-commands.js";
import { defineExplain, defineRules, defineSchema } from "./reference-commands.js";
import { defineGraph, defineInspect, defineReplay, defineSimulate, defineStep } from "./workflow-commands.js";
import { defineLint, defineLsp, defineValidate } from "./lint-commands.js";

/** By name, in the order of the help. */
export const commands: ReadonlyMap<string, DefineCommand> = new Map([
  ["lint", defineLint],
  ["validate", defineValidate],
  ["graph", defineGraph],
  ["inspect", defineInspect],
  ["simulate", defineSimulate],
  ["replay", defineReplay],
  ["step", defineStep],
  ["rules", defineRules],
  ["explain", defineExplain],
  ["schema", defineSchema],
  ["lsp", defineLsp],
  ["init", defineInit],
  ["completion", defineCompletion],
]);
