import { defaultLimits } from "../../src/document/file-format.js";
import { checkRun } from "../../src/lint/check-record.js";
import type { Levels } from "../../src/lint/run-rules.js";
import type { Diagnostic } from "../../src/diagnostic.js";
import { readJsonLines } from "../../src/document/json/read-json.js";
import { readDocument } from "../../src/document/read.js";
import { buildMachine } from "../../src/machine/machine.js";
import { workflowOf } from "../simulate/open-text.js";

export interface Holding {
  readonly budget?: boolean;
  readonly levels?: Levels;
}

/** A record, JSON Lines or a context, held against a pack. */
export function heldAgainst(
  packText: string,
  record: string,
  holding: Holding = {},
): ReturnType<typeof checkRun> {
  const { pack, workflow } = workflowOf(packText);
  const isContext = /^\s*\{\s*"current_state"|"history"/u.test(record);
  const document = isContext
    ? readDocument(record, "json", defaultLimits)
    : readJsonLines(record, defaultLimits);
  const kind = isContext ? "context" : "transitions";
  const { budget = true, levels } = holding;
  return checkRun(
    { kind, document, pack, workflow, machine: buildMachine(workflow), checksBudget: budget },
    { levels },
  );
}

/** `line rule message` for each finding. */
export function linesOf(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.map(({ range, rule, message }) => `${range.start.line} ${rule}: ${message}`);
}
