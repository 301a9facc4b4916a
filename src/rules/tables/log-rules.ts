import {
  eventTypes,
  isCorrelated,
  isReadable,
  type LogEvent,
  mayBeResult,
  stringsIn,
} from "../../agentic/log-event.js";
import {
  artifactFolder,
  artifactsInLog,
  normalizeArtifactPath,
  numberField,
  workspaceFiles,
} from "../../agentic/loop-files.js";
import type { Finding, Words } from "../../diagnostic.js";
import { asMapping, isNull, type Node } from "../../document/node.js";
import {
  isBareRequestType,
  loopPlugin,
  requestPrefix,
  reservedKeys,
  resultType,
  transitionTool,
} from "../../routes/routes.js";
import { otherSchemaFindings } from "../../schema/check-schema.js";
import { eventSchema } from "../../schema/other-schemas.js";
import { createGuesser, misspelledAsAdvice, nameAdvice } from "../../text/names.js";
import { parseTimestamp } from "../../text/parse-scalar.js";
import { pluralize } from "../../text/wording.js";
import { walkedRules } from "../rule.js";

/** Rules about the events of a log, their order and what they carry (RFC-103); the order is checked in one walk. */
export const logRules = walkedRules("agentic", {
  "agentic-event": {
    summary: "Every line of the log is an event of RFC-103, with the payload that the RFC requires.",
    severity: "error",
    source: "RFC-103, event contract",
    *check({ log }) {
      for (const event of log.events) {
        const schema = event.kind === undefined ? undefined : eventSchema(event.kind);
        if (schema !== undefined) yield* otherSchemaFindings(event.node, schema, log.document.text);
        else if (event.type !== undefined) {
          const words = unknownTypeText(event.type.text);
          const isOfPlugin = words.advice === undefined && mayBeResult(event);
          yield { at: event.type, ...(isOfPlugin ? pluginEventText(event) : words) };
        } else {
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
  "agentic-dedupe-key": {
    summary: "Dedupe keys have the form that RFC-103 requires, and name their run and step.",
    severity: "error",
    source: "RFC-103, idempotency and dedupe",
    *check({ log }) {
      for (const event of log.events) {
        const key = event.dedupeKey;
        if (event.kind === "start") {
          if (key === undefined || /^agentic:start:./su.test(key.text)) continue;
          const message = `The dedupe key of a start must be "agentic:start:" followed by the id of the outside request, not "${key.text}".`;
          yield { at: key, message };
          continue;
        }
        if (!isReadable(event) || (event.kind !== "request" && event.kind !== "result")) continue;
        const expected = `agentic:run:${event.runId.text}:step:${event.step.value}:${event.kind}`;
        if (key?.text === expected) continue;
        if (key !== undefined) {
          yield { at: key, message: `The dedupe key "${key.text}" should be "${expected}".` };
        } else if (event.node.get("dedupe_key") === undefined) {
          const message = `This ${event.kind} has no dedupe key; it should be "${expected}".`;
          yield { at: event.at, message };
        }
      }
    },
  },
  "agentic-completion": {
    summary: "What a completion says about its run agrees with the log.",
    severity: "error",
    source: "RFC-103, event contract 4",
    *check({ log }) {
      for (const { id, steps, starts = [], end, isUnclear, sharesId } of log.runs) {
        if (end?.kind !== "completed" || isUnclear || sharesId) continue;
        const taken = numberField(end.payload, "steps_taken");
        const last = steps.at(-1)?.step ?? 0;
        if (taken !== undefined && taken.value !== steps.length && taken.value !== last) {
          const message = `Run "${id}" took ${pluralize(steps.length, "step")}, not ${taken.value}.`;
          yield { at: taken.at, message };
        }
        const goal = end.text("goal");
        const goals = starts.flatMap((start) => start.text("goal") ?? []);
        const [first] = goals;
        if (goal === undefined || first === undefined) continue;
        if (goals.some(({ text }) => text.trim() === goal.text.trim())) continue;
        const message = `The goal of run "${id}" is not the one it was started with.`;
        yield { at: goal, message, related: [{ at: first, message: "the goal at the start" }] };
      }
    },
  },
  "agentic-unknown-artifact": {
    summary: "Every artifact that a completion lists was produced by a result of its run.",
    severity: "warning",
    source: "RFC-103, success criteria",
    *check({ log }) {
      for (const { id, steps, end, isUnclear, sharesId } of log.runs) {
        if (end?.kind !== "completed" || isUnclear || sharesId || end.artifacts.length === 0) continue;
        const strings = steps.flatMap(({ results }) => results).flatMap(stringsIn);
        const given = new Set(strings.map(normalizeArtifactPath));
        for (const artifact of end.artifacts) {
          // agentic-artifact-path reports invalid paths.
          const name = normalizeArtifactPath(artifact.text);
          if (name === undefined || given.has(name)) continue;
          const message = `No result of run "${id}" produced the artifact "${artifact.text}".`;
          yield { at: artifact, message };
        }
      }
    },
  },
  "agentic-artifact-path": {
    summary: "Artifacts are named by relative paths inside `artifacts/`.",
    severity: "error",
    source: "RFC-103, workspace contract",
    *check({ log }) {
      for (const event of log.events) {
        if (event.kind !== "result" && event.kind !== "completed") continue;
        for (const path of [event.artifactPath, ...event.artifacts]) {
          if (path === undefined || normalizeArtifactPath(path.text) !== undefined) continue;
          yield { at: path, message: `"${path.text}" is not a relative path inside "artifacts/".` };
        }
      }
    },
  },
  "agentic-inline-size": {
    summary: "A result carries at most 4 kB inline; anything larger is in an artifact file.",
    severity: "warning",
    source: "RFC-103, workspace contract",
    *check({ log }) {
      const { text } = log.document;
      for (const event of log.events) {
        const { kind, payload } = event;
        if (kind !== "result" || payload === undefined) continue;
        // A character has at most three bytes, so most results need no counting.
        if ((payload.end - payload.start) * 3 <= maxInlineBytes) continue;
        const parts = event.resultEntries
          .filter(({ value }) => !isNull(value))
          .map(({ key, value }) => ({ key, size: utf8Size(text.slice(value.start, value.end)) }))
          .sort((a, b) => b.size - a.size);
        const size = parts.reduce((sum, part) => sum + part.size, 0);
        const [largest] = parts;
        if (largest === undefined || size <= maxInlineBytes) continue;
        const message = `This result carries ${size} bytes inline; put anything over 4 kB in a file in "artifacts/" and give its path.`;
        yield { at: largest.key, message };
      }
    },
  },
  "agentic-time-order": {
    summary: "No result is completed before it was requested.",
    severity: "error",
    source: "RFC-103, event contract",
    *check({ log }) {
      for (const { request, result } of log.answers) {
        const requested = request.text("requested_at");
        const completed = result.text("completed_at");
        if (requested === undefined || completed === undefined) continue;
        const [from, to] = [parseTimestamp(requested.text), parseTimestamp(completed.text)];
        if (from === undefined || to === undefined || to >= from) continue;
        const message = `Step ${result.step.value} of run "${result.runId.text}" was completed at ${completed.text}, before it was requested.`;
        yield { at: completed, message, related: [{ at: requested, message: "the time of the request" }] };
      }
    },
  },
  "agentic-reserved-key": {
    summary: "A tool payload does not override the fields that tie a request to its run.",
    severity: "error",
    source: "RFC-103, testing notes",
    *check({ log }) {
      for (const event of log.events) {
        if (event.kind !== "request") continue;
        const toolPayload = asMapping(event.field("tool_payload"));
        for (const name of reservedKeys) {
          const entry = toolPayload?.entry(name);
          if (entry === undefined || isSameScalar(entry.value, event.field(name))) continue;
          const message = `The tool payload has its own "${name}", a key reserved for the run: when the payload is flattened, this value is lost or taken for the run's; rename it.`;
          yield { at: entry.key, message };
        }
      }
    },
  },
  "agentic-route": {
    summary: "Every plugin that is requested is allowed and has a route.",
    severity: "error",
    source: "RFC-103, required router configuration",
    needs: "routes of the record",
    *check({ log }) {
      const { routes } = log.surroundings;
      const allowed = routes?.allowed;
      const guess = createGuesser();
      for (const { plugin, at } of log.events) {
        if (plugin === undefined) continue;
        if (plugin === loopPlugin) {
          const message = `The loop requests itself; "${loopPlugin}" must not be triggered by its own requests.`;
          yield { at, message };
        } else if (routes === undefined || plugin === transitionTool) continue;
        else if (allowed !== undefined && !allowed.has(plugin)) {
          const message = `The routes do not allow the plugin "${plugin}".`;
          yield { at, message, advice: nameAdvice(plugin, allowed, guess) };
        } else if (!routes.byPlugin.has(plugin)) {
          const message = `By these routes nothing answers this request: there is no pipeline on "${requestPrefix}${plugin}".`;
          yield { at, message, advice: nameAdvice(plugin, routes.byPlugin.keys(), guess) };
        }
      }
    },
  },
  "agentic-workspace": {
    summary: "The workspace has the files of the contract, and every artifact that the log names.",
    severity: "error",
    source: "RFC-103, workspace contract",
    needs: "workspace",
    *check({ log }) {
      const { workspace } = log.surroundings;
      const at = log.events[0]?.at;
      if (workspace === undefined || at === undefined) return;
      for (const file of workspaceFiles) {
        if (workspace.kindOf(file) === "file") continue;
        yield { at, message: `The workspace "${workspace.name}" has no file "${file}".` };
      }
      if (workspace.kindOf(artifactFolder) !== "folder") {
        yield { at, message: `The workspace "${workspace.name}" has no folder "${artifactFolder}".` };
        return;
      }
      for (const [name, path] of artifactsInLog(workspace, log.events)) {
        if (workspace.kindOf(name) !== undefined) continue;
        yield { at: path, message: `The workspace "${workspace.name}" has no artifact "${path.text}".` };
      }
    },
  },
});

function unknownTypeText(type: string): Words {
  if (isBareRequestType(type)) {
    const message = `"${type}" names no plugin: the type of a request is "${requestPrefix}" followed by the plugin.`;
    return { message };
  }
  const request = `${requestPrefix}${type.slice(type.lastIndexOf(".") + 1)}`;
  const message = `"${type}" is not an event of RFC-103.`;
  return { message, advice: nameAdvice(type, [...eventTypes, request]) };
}

/** The narrative of RFC-103 resumes a run from such an event, which its contract does not have. */
function pluginEventText(event: LogEvent): Omit<Finding, "at"> {
  const message = `"${event.type?.text ?? ""}" is an event that a plugin emits: the loop resumes from it as from "${resultType}".`;
  const advice = isCorrelated(event)
    ? undefined
    : 'Without "run_id", "step" and "tool" it answers the request right before it.';
  return { message, advice, severity: "info" };
}

const maxInlineBytes = 4096;

const encoder = new TextEncoder();

/** The size in UTF-8, whether or not the logger escapes letters such as `é`. */
function utf8Size(written: string): number {
  const plain = written.replace(/\\(?:u([\da-f]{4})|.)/giu, (escape, hex?: string) => {
    const code = hex === undefined ? 0 : Number.parseInt(hex, 16);
    return code < 0x80 ? escape : String.fromCharCode(code);
  });
  return encoder.encode(plain).length;
}

function isSameScalar(a: Node, b: Node | undefined): boolean {
  return a.kind === "scalar" && b?.kind === "scalar" && a.value === b.value;
}
