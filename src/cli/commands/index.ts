import type { DefineCommand } from "./command.js";
import { defineCompletion } from "./completion.js";
import { defineExplain } from "./explain.js";
import { defineGraph } from "./graph.js";
import { defineInit } from "./init.js";
import { defineInspect } from "./inspect.js";
import { defineLint } from "./lint.js";
import { defineLsp } from "./lsp.js";
import { defineReplay } from "./replay.js";
import { defineRules } from "./rules.js";
import { defineSchema } from "./schema.js";
import { defineSimulate } from "./simulate.js";
import { defineStep } from "./step.js";
import { defineValidate } from "./validate.js";

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
