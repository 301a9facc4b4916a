import type { Trace, TraceStep } from "../diagnostic.js";

/** A run as the JSON of reports has it: the places of its steps are for those who can show them. */
export function traceJson({ steps, loopFrom }: Trace): Trace {
  return { steps: steps.map(stepJson), ...(loopFrom !== undefined && { loopFrom }) };
}

export function stepJson({ from, event, to, forced }: TraceStep): TraceStep {
  return { from, event, to, ...(forced !== undefined && forced.length > 0 && { forced }) };
}
