import { eventTypes } from "../../agentic/log-event.js";
import type { Words } from "../../diagnostic.js";
import { isBareRequestType, requestPrefix } from "../../routes/routes.js";
import { otherSchemaFindings } from "../../schema/check-schema.js";
import { eventSchema } from "../../schema/other-schemas.js";
import { misspelledAsAdvice, nameAdvice } from "../../text/names.js";
import { rulesOf, walkedRules } from "../rule.js";

/** Rules about the events of a log and their order (RFC-103); the order is checked in one walk. */
export const logProtocolRules = [
  ...rulesOf("agentic", {
    "agentic-event": {
      summary: "Every line of the log is an event of RFC-103, with the payload that the RFC requires.",
      severity: "error",
      source: "RFC-103, event contract",
      *check({ log }) {
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
  }),
  ...walkedRules("agentic", {
    "agentic-step-order": {
      summary: "The steps of a run start at 1 and go up.",
      severity: "error",
      source: "RFC-103, core invariant 2",
    },
    "agentic-step-gap": {
      summary: "No step of a run is left out.",
      severity: "warning",
      source: "RFC-103, core invariant 2",
    },
    "agentic-run-id-reused": {
      summary: "Every run has a `run_id` of its own.",
      severity: "error",
      source: "RFC-103, core invariant 1",
    },
    "agentic-result-before-request": {
      summary: "Every result comes after its request.",
      severity: "error",
      source: "RFC-103, core invariant 3",
    },
    "agentic-pending": {
      summary: "While a step is pending, no other is requested and the run is not completed.",
      severity: "error",
      source: "RFC-103, core invariants 3 and 5",
    },
    "agentic-unknown-run": {
      summary: "Every result and every end belongs to a run that began in the log.",
      severity: "warning",
      source: "RFC-103, resume validation 1",
    },
    "agentic-late-result": {
      summary: "No result arrives after its run has ended.",
      severity: "info",
      source: "RFC-103, resume validation 2",
    },
    "agentic-stale-result": {
      summary: "No result arrives twice, or for a step that is done.",
      severity: "info",
      source: "RFC-103, resume validation 3",
    },
    "agentic-double-advance": {
      summary: "A duplicate or stale result does not make a run advance again.",
      severity: "error",
      source: "RFC-103, core invariant 6",
    },
    "agentic-not-escalated": {
      summary: "A result from the wrong tool, or for a later step, makes the run escalate.",
      severity: "error",
      source: "RFC-103, resume validation 4",
    },
    "agentic-after-error": {
      summary: "After an error the step is tried again, or the run escalates.",
      severity: "error",
      source: "RFC-103, error handling",
    },
    "agentic-duplicate": {
      summary: "No start, request or end is sent twice for no reason.",
      severity: "info",
      source: "RFC-103, idempotency and dedupe",
    },
    "agentic-after-end": {
      summary: "A run ends once, and the loop does nothing for it afterwards.",
      severity: "error",
      source: "RFC-103, state rules; test cases",
    },
    "agentic-run-open": {
      summary: "Every run that begins in the log also ends in it.",
      severity: "info",
      source: "RFC-103, state rules",
    },
    "agentic-max-steps": {
      summary: "A run that reaches `max_steps` escalates.",
      severity: "error",
      source: "RFC-103, error handling: step >= max_steps",
      needs: "max steps",
    },
  }),
];

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
