import type { AgenticLog } from "../../agentic/agentic-log.js";
import {
  describeAction,
  describeActionAfter,
  quotedRun,
  quotedTool,
  stepOf,
  type ViolationKind,
  type ViolationOf,
} from "../../agentic/violation.js";
import { eventTypes } from "../../agentic/log-event.js";
import type { Finding, Words } from "../../diagnostic.js";
import { isBareRequestType, requestPrefix } from "../../routes/routes.js";
import { otherSchemaFindings } from "../../schema/check-schema.js";
import { eventSchema } from "../../schema/other-schemas.js";
import { createGuesser, misspelledAsAdvice, nameAdvice, type NameGuess } from "../../text/names.js";
import { pluralize } from "../../text/wording.js";
import { type AgenticRule, combineChecks, type RuleRows } from "../rule.js";

/** Rules about the order of events in a log (RFC-103). Most report one kind of violation. */
const logProtocolRows: RuleRows<AgenticRule> = {
  "agentic-event": {
    summary: "Every line of the log is an event of RFC-103, with the payload that the RFC requires.",
    severity: "error",
    source: "RFC-103, event contract",
    *check(log) {
      for (const event of log.events) {
        const schema = event.kind === undefined ? undefined : eventSchema(event.kind);
        if (schema !== undefined) yield* otherSchemaFindings(event.node, schema, log.document.text);
        else if (event.type !== undefined) yield { at: event.type, ...unknownTypeText(event.type.text) };
        else {
          const names = event.node.entries.map(({ key }) => key.text);
          const message = 'This line has no "type" to say which event it is.';
          yield { at: event.at, message, advice: misspelledAsAdvice("type", names) };
        }
      }
    },
  },
  "agentic-step-order": {
    summary: "The steps of a run start at 1 and go up.",
    severity: "error",
    source: "RFC-103, core invariant 2",
    check: combineChecks(
      reportEach("first-step", ({ request }) => ({
        at: request.step,
        message: `Run ${quotedRun(request)} begins with step ${stepOf(request)}; steps start at 1.`,
      })),
      reportEach("step-back", ({ request, after }) => {
        const again = stepOf(request) === stepOf(after);
        const when = again ? "again, which already has its result" : `after step ${stepOf(after)}`;
        return {
          at: request.step,
          message: `Run ${quotedRun(request)} requests step ${stepOf(request)} ${when}; step numbers must go up.`,
          related: [{ at: after.at, message: `step ${stepOf(after)} is requested here` }],
        };
      }),
    ),
  },
  "agentic-step-gap": {
    summary: "No step of a run is left out.",
    severity: "warning",
    source: "RFC-103, core invariant 2",
    check: reportEach("gap", ({ request, after }) => {
      const missed = stepOf(request) - stepOf(after) - 1;
      return {
        at: request.step,
        message: `Run ${quotedRun(request)} goes from step ${stepOf(after)} to step ${stepOf(request)}: ${pluralize(missed, "step")} ${missed === 1 ? "is" : "are"} missing, from the run or from the log.`,
        related: [{ at: after.at, message: `step ${stepOf(after)} is requested here` }],
      };
    }),
  },
  "agentic-run-id-reused": {
    summary: "Every run has a `run_id` of its own.",
    severity: "error",
    source: "RFC-103, core invariant 1",
    check: reportEach("reused", ({ request, first }) => ({
      at: request.runId,
      message: `Step 1 of run ${quotedRun(request)} was requested before, and this is not a retry: a new run needs a run_id of its own.`,
      related: [{ at: first.at, message: "the run begins here" }],
    })),
  },
  "agentic-result-before-request": {
    summary: "Every result comes after its request.",
    severity: "error",
    source: "RFC-103, core invariant 3",
    check: reportEach("early-result", ({ result, request, last }) => {
      const must = last === undefined ? "" : `: the run is at step ${stepOf(last)}, so it must escalate`;
      return {
        at: result.step,
        message: `The result of step ${stepOf(result)} of run ${quotedRun(result)} comes before its request${must}.`,
        related: [{ at: request.at, message: "the request" }],
      };
    }),
  },
  "agentic-pending": {
    summary: "While a step is pending, no other is requested and the run is not completed.",
    severity: "error",
    source: "RFC-103, core invariants 3 and 5",
    check: reportEach("pending", ({ event, request }) => ({
      at: event.at,
      message: `Run ${quotedRun(event)} ${describeActionAfter(event, request)} while step ${stepOf(request)} still waits for ${quotedTool(request)}.`,
      related: [{ at: request.at, message: "this request has no result yet" }],
    })),
  },
  "agentic-unknown-run": {
    summary: "Every result and every end belongs to a run that began in the log.",
    severity: "warning",
    source: "RFC-103, resume validation 1",
    check: reportEach("unknown-run", ({ event }, log, guess) => ({
      at: event.runId,
      message: `No run ${quotedRun(event)} has begun, so ${unknownRunConsequences[event.kind]}.`,
      advice: nameAdvice(event.runId.text, runIds(log), guess),
    })),
  },
  "agentic-late-result": {
    summary: "No result arrives after its run has ended.",
    severity: "info",
    source: "RFC-103, resume validation 2",
    check: reportEach("late-result", ({ result, end }) => ({
      at: result.runId,
      message: `Run ${quotedRun(result)} has ended, so this result for step ${stepOf(result)} is ignored.`,
      related: [{ at: end.at, message: "the run ends here" }],
    })),
  },
  "agentic-stale-result": {
    summary: "No result arrives twice, or for a step that is done.",
    severity: "info",
    source: "RFC-103, resume validation 3",
    check: reportEach("stale-result", ({ result, last }) => {
      const why =
        stepOf(result) === stepOf(last)
          ? `already has its result`
          : `is over (the run is at step ${stepOf(last)})`;
      return {
        at: result.step,
        message: `Step ${stepOf(result)} of run ${quotedRun(result)} ${why}, so this result is ignored.`,
        related: [{ at: last.at, message: `step ${stepOf(last)} is requested here` }],
      };
    }),
  },
  "agentic-double-advance": {
    summary: "A duplicate or stale result does not make a run advance again.",
    severity: "error",
    source: "RFC-103, core invariant 6",
    check: reportEach("double-advance", ({ request, pending, ignored }) => ({
      at: request.step,
      message: `Run ${quotedRun(request)} advances to step ${stepOf(request)} on a result it had to ignore, while step ${stepOf(pending)} still waits for ${quotedTool(pending)}.`,
      related: [
        { at: ignored.at, message: "the result to ignore" },
        { at: pending.at, message: "this request has no result yet" },
      ],
    })),
  },
  "agentic-not-escalated": {
    summary: "A result from the wrong tool, or for a later step, makes the run escalate.",
    severity: "error",
    source: "RFC-103, resume validation 4",
    check: reportEach("not-escalated", ({ result, last, next }) => {
      const isAhead = stepOf(result) !== stepOf(last);
      const fault = isAhead
        ? `Run ${quotedRun(result)} is at step ${stepOf(last)}, and this is a result for step ${stepOf(result)}`
        : `Step ${stepOf(last)} of run ${quotedRun(result)} waits for ${quotedTool(last)}, and this is a result from ${quotedTool(result)}`;
      const instead = next === undefined ? "the log shows no escalation" : `it ${describeAction(next)}`;
      return {
        at: isAhead ? result.step : result.tool,
        message: `${fault}: the run must escalate, but ${instead}.`,
        related: [
          { at: last.at, message: `step ${stepOf(last)} is requested here` },
          ...(next === undefined ? [] : [{ at: next.at, message: `the run ${describeAction(next)} here` }]),
        ],
      };
    }),
  },
  "agentic-after-error": {
    summary: "After an error the step is tried again, or the run escalates.",
    severity: "error",
    source: "RFC-103, error handling",
    check: reportEach("after-error", ({ event, error }) => ({
      at: event.at,
      message: `Run ${quotedRun(event)} ${describeActionAfter(event, error)} although step ${stepOf(error)} of ${quotedTool(error)} failed: it may only retry that step or escalate.`,
      related: [{ at: error.at, message: `step ${stepOf(error)} fails here` }],
    })),
  },
  "agentic-duplicate": {
    summary: "No start, request or end is sent twice for no reason.",
    severity: "info",
    source: "RFC-103, idempotency and dedupe",
    check: reportEach("duplicate", ({ event, first }) => ({
      at: event.dedupeKey ?? event.at,
      message: `${duplicateText(event)}: this duplicate should be dropped.`,
      related: [{ at: first.at, message: "the first one" }],
    })),
  },
  "agentic-after-end": {
    summary: "A run ends once, and the loop does nothing for it afterwards.",
    severity: "error",
    source: "RFC-103, state rules; test cases",
    check: reportEach("after-end", ({ event, end }) => ({
      at: event.at,
      message: `Run ${quotedRun(event)} ${describeAction(event)} after it has ${end.kind}.`,
      related: [{ at: end.at, message: "the run ends here" }],
    })),
  },
  "agentic-run-open": {
    summary: "Every run that begins in the log also ends in it.",
    severity: "info",
    source: "RFC-103, state rules",
    check: combineChecks(
      reportEach("open", ({ run }) => {
        const { pending } = run;
        const waits =
          pending === undefined ? "" : `: step ${stepOf(pending)} waits for ${quotedTool(pending)}`;
        return {
          at: run.last.at,
          message: `Run "${run.id}" is still open at the end of the log${waits}.`,
        };
      }),
      reportEach("unanswered-start", ({ start }) => ({
        at: start.at,
        message: "The log ends before a run follows this start.",
      })),
    ),
  },
  "agentic-max-steps": {
    summary: "A run that reaches `max_steps` escalates.",
    severity: "error",
    source: "RFC-103, error handling: step >= max_steps",
    needs: "max steps",
    check: reportEach("over-budget", ({ request, next, maxSteps }) => {
      const step = `Step ${stepOf(request)} of run ${quotedRun(request)}`;
      return next === undefined
        ? {
            at: request.step,
            message: `${step} is beyond max_steps (${maxSteps}): the run should have escalated before.`,
          }
        : {
            at: request.step,
            message: `${step} has reached max_steps (${maxSteps}): the run must escalate, but it ${describeAction(next)}.`,
            related: [{ at: next.at, message: `the run ${describeAction(next)} here` }],
          };
    }),
  },
};

export const logProtocolRules: readonly AgenticRule[] = Object.entries(logProtocolRows).map(([id, row]) => ({
  ...row,
  id,
  subject: "agentic",
}));

/** Reports every violation of one kind. Guesses at names are limited per check. */
function reportEach<K extends ViolationKind>(
  kind: K,
  describe: (violation: ViolationOf<K>, log: AgenticLog, guess: NameGuess) => Finding,
): (log: AgenticLog) => Iterable<Finding> {
  return function* (log) {
    const guess = createGuesser();
    for (const violation of log.violations(kind)) yield describe(violation, log, guess);
  };
}

function unknownTypeText(type: string): Words {
  if (isBareRequestType(type)) {
    return {
      message: `"${type}" names no plugin: the type of a request is "${requestPrefix}" followed by the plugin.`,
    };
  }
  const request = `${requestPrefix}${type.slice(type.lastIndexOf(".") + 1)}`;
  return {
    message: `"${type}" is not an event of RFC-103.`,
    advice: nameAdvice(type, [...eventTypes, request]),
  };
}

const unknownRunConsequences = {
  result: "its result is ignored",
  completed: "it cannot complete",
  escalated: "it cannot escalate",
} as const;

/** Lazy, since most runs need no suggestion. */
function* runIds({ runs }: AgenticLog): Iterable<string> {
  for (const { id } of runs) yield id;
}

function duplicateText(event: ViolationOf<"duplicate">["event"]): string {
  switch (event.kind) {
    case "request":
      return `Step ${stepOf(event)} of run ${quotedRun(event)} was already requested, with no error in between`;
    case "completed":
    case "escalated":
      return `The end of run ${quotedRun(event)} was already reported, with the same content`;
    case "start":
    case "trigger":
      return `A start with the dedupe key "${event.dedupeKey?.text ?? ""}" was already sent`;
  }
}
