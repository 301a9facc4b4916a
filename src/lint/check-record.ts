import type { AgenticLog } from "../agentic/agentic-log.js";
import type { PluginState } from "../agentic/loop-files.js";
import type { Diagnostic } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import type { RecordedRun } from "../replay/recording.js";
import { replayText } from "../replay/replay-text.js";
import { type ReplayedLog, replayRun } from "../replay/replay-run.js";
import { rulesOf, runFileRules, type RunOptions } from "./run-rules.js";

const logRules = rulesOf("file", "agentic", "run");
const stateRules = rulesOf("file", "agentic-state");
const recordedRunRules = rulesOf("file", "run");
const fileRules = rulesOf("file");

/** Lints a log of RFC-103 events; `replays` are what its runs did in their workflow. */
export function checkLog(log: AgenticLog, options: RunOptions, replays?: ReplayedLog): readonly Diagnostic[] {
  // All replays have one report.
  const [replay] = replays?.values() ?? [];
  return runFileRules(log.document, logRules, options, (rule) => {
    if (rule.subject === "agentic") return rule.check({ log });
    // Its lines are events, which "agentic-event" checks.
    return replay === undefined || rule.id === "run-record" ? undefined : rule.check({ replay });
  });
}

/** Lints the state that the plugin of RFC-103 persists, and compares it with a log. */
export function checkState(
  state: PluginState,
  log: AgenticLog | undefined,
  options: RunOptions,
  replays?: ReplayedLog,
): readonly Diagnostic[] {
  return runFileRules(state.document, stateRules, options, (rule) => rule.check({ state, log, replays }));
}

/** Replays a recorded run of a workflow; its table is as wide as `columns`, with the first deviation marked. */
export function checkRun(run: RecordedRun, options: RunOptions, columns = 80) {
  const { document } = run;
  const replay = replayRun(run);
  const diagnostics = runFileRules(document, recordedRunRules, options, (rule) => rule.check({ replay }));
  return { diagnostics, text: replayText(replay, diagnostics, columns) };
}

export function checkDocument(document: Document, options: RunOptions): readonly Diagnostic[] {
  return runFileRules(document, fileRules, options, () => undefined);
}
