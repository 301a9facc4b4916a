import type { Finding } from "../../diagnostic.js";
import { LocatedString, placeOf } from "../../document/node.js";
import type { DeviationKind, DeviationOf } from "../../replay/deviation.js";
import type { RunReplay } from "../../replay/run-replay.js";
import { otherSchemaFindings } from "../../schema/check-schema.js";
import { contextSchema, recordKinds, recordSchema } from "../../schema/other-schemas.js";
import { createGuesser, nameAdvice, type NameGuess } from "../../text/names.js";
import { listNames, pluralize } from "../../text/wording.js";
import { combineChecks, type RuleRows, type RunRule } from "../rule.js";
import {
  changeText,
  countText,
  forcedMessage,
  inPack,
  insteadText,
  objectionText,
  wrongStateMessage,
} from "./run-messages.js";

/** Rules about recorded runs. Most report one kind of deviation from the workflow. */
const runRows: RuleRows<RunRule> = {
  "run-record": {
    summary: "Every part of a recorded run has the shape that its schema requires.",
    severity: "error",
    source: "RFC 0009, artifact lifecycle: capture",
    *check(replay) {
      const { root, text: source } = replay.target.document;
      if (root?.kind === "mapping") yield* otherSchemaFindings(root, contextSchema(), source);
      for (const node of root?.kind === "sequence" ? root.items : []) {
        if (node.kind !== "mapping") continue;
        const kind = LocatedString.of(node.get("record"));
        const schema = kind === undefined ? undefined : recordSchema(kind.text);
        if (schema !== undefined) yield* otherSchemaFindings(node, schema, source);
        else if (kind === undefined) {
          yield { at: placeOf(node), message: 'This line has no "record" to say what it is.' };
        } else {
          const advice = nameAdvice(kind.text, recordKinds());
          yield { at: kind, message: `"${kind.text}" is not a kind of record.`, advice };
        }
      }
    },
  },
  "run-pack": {
    summary: "The record was made with the pack that it is checked against.",
    severity: "warning",
    source: "RFC 0009, artifact lifecycle: capture",
    check: reportEach("other-pack", ({ recorded, what, actual }) => {
      const message =
        what === "id"
          ? `The record was made with the pack "${recorded.text}", but it is checked against "${actual}".`
          : `The record was made with version ${recorded.text} of the pack, but it is checked against version ${actual}.`;
      return { at: recorded, message };
    }),
  },
  "run-start": {
    summary: "A run starts once, in the entry of the workflow or in the state of an agent.",
    severity: "error",
    source: "RFC 0005, rule 1; RFC 0011",
    check: combineChecks(
      reportEach("no-start", ({ at }) => ({
        at,
        message: "The record does not begin with a start: what came before this line is missing.",
      })),
      reportEach("second-start", ({ at }) => ({
        at,
        message: "A run starts once, with the first line of its record: this is another start.",
      })),
      reportEach("no-root", ({ state, lacksStart }, replay) => {
        const roots = listNames(replay.target.workflow.roots.map(({ name }) => name.text));
        const message = lacksStart
          ? `The transitions that led to "${state.text}" are missing: runs of this workflow start in ${roots}.`
          : `The run starts in "${state.text}", but runs of this workflow start in ${roots}.`;
        return { at: state, message };
      }),
      reportEach("agent", ({ agent, state, root }) => {
        const message =
          root === undefined
            ? `The run was started by "${agent.text}", which is not an agent with a state of its own.`
            : `The agent "${agent.text}" starts in "${root}", but the run starts in "${state.text}".`;
        return { at: root === undefined ? agent : state, message };
      }),
    ),
  },
  "run-unknown-state": {
    summary: "Every state that a record names is a state of the workflow.",
    severity: "error",
    source: "RFC 0005, workflow states",
    check: reportEach("unknown-state", ({ name }, replay, guess) => {
      const { workflow } = replay.target;
      const advice = nameAdvice(name.text, workflow.stateNames(), guess);
      return { at: name, message: `"${name.text}" is not a state of the workflow.`, advice };
    }),
  },
  "run-gap": {
    summary: "Each transition leaves the state that the previous one entered.",
    severity: "error",
    source: "RFC 0009, artifact lifecycle: capture",
    check: reportEach("gap", ({ from, was, isRepeated }) => {
      const why = isRepeated ? "it repeats the one before it" : "transitions are missing or out of order";
      return {
        at: from,
        message: `This transition leaves "${from.text}", but the run was in "${was}": ${why}.`,
      };
    }),
  },
  "run-unknown-event": {
    summary: "Each event exists in the state where it happened.",
    severity: "error",
    source: "RFC 0005, on_event",
    check: reportEach("unknown-event", ({ event, state }, replay, guess) => {
      const names = state.edges.map((edge) => edge.event);
      const { name } = replay.target.workflow.states[state.index] ?? {};
      return {
        at: event,
        message: `State "${state.name}" has no event "${event.text}", only ${listNames(names)}${inPack(replay, name)}.`,
        advice: nameAdvice(event.text, names, guess),
      };
    }),
  },
  "run-wrong-state": {
    summary: "Each event leads where the workflow says, forced exits included.",
    severity: "error",
    source: "RFC 0005, on_event; RFC 0009, on_max_visits",
    check: combineChecks(
      reportEach("wrong-state", (deviation, replay) => {
        const { machine } = replay.target;
        const place = inPack(replay, deviation.edge.transition?.event);
        return { at: deviation.to, message: wrongStateMessage(deviation, machine, place) };
      }),
      reportEach("forced", ({ at, recorded, outcome }, replay) => {
        const { machine } = replay.target;
        return { at, message: forcedMessage(recorded, outcome, machine) };
      }),
    ),
  },
  "run-guard": {
    summary: "No state is entered more often than its `max_visits` allows.",
    severity: "error",
    source: "RFC 0009, max_visits",
    check: combineChecks(
      reportEach("spent", ({ to, state, visits, by, outcome }, replay) => {
        const { machine, workflow } = replay.target;
        const guard = workflow.states[state.index]?.maxVisits;
        const how =
          by === undefined
            ? `"${to.text}" is entered although it is spent`
            : `The forced exit of "${by.name}" enters "${to.text}" without checking its guard`;
        return {
          at: to,
          message: `${how}: this is visit ${visits + 1}, but max_visits allows ${guard?.value ?? 0}${inPack(replay, guard)}. ${insteadText(outcome, machine)}`,
        };
      }),
      reportEach("unseen", ({ at, state, visits }, replay) => {
        const { workflow } = replay.target;
        const guard = workflow.states[state.index]?.maxVisits;
        return {
          at,
          message: `"${state.name}" was entered ${pluralize(visits, "time")} in addition to what the history shows, but max_visits allows ${guard?.value ?? 0}${inPack(replay, guard)}.`,
        };
      }),
    ),
  },
  "run-budget": {
    summary: "The run stays within the budget of its workflow.",
    severity: "error",
    source: "RFC 0009, engine.budget",
    check: combineChecks(
      reportEach("budget", ({ at, limit, used, allowed }, replay) => {
        const place = inPack(replay, allowed);
        const message = {
          max_total_visits: `The budget allows ${pluralize(allowed.value, "visit")}${place}, but this event would need another.`,
          max_tool_calls: `The run made ${pluralize(used, "tool call")}, but the budget allows ${allowed.value}${place}.`,
          max_wall_time_sec: `This happened ${pluralize(used, "second")} after the start, but the budget allows ${allowed.value}${place}.`,
        }[limit];
        return { at, message };
      }),
      reportEach("other-budget", ({ recorded, allowed }, replay) => {
        const pack =
          allowed === undefined ? "sets none" : `allows ${allowed.value}${inPack(replay, allowed)}`;
        return {
          at: recorded,
          message: `The run was held to a budget of ${pluralize(recorded.value, "visit")}, but the pack ${pack}.`,
        };
      }),
    ),
  },
  "run-after-end": {
    summary: "Nothing happens after the end of a run.",
    severity: "error",
    source: "RFC 0009, terminal",
    check: combineChecks(
      reportEach("after-end", ({ at, state }, replay) => {
        const { name } = replay.target.workflow.states[state?.index ?? -1] ?? {};
        const message =
          state === undefined
            ? "The record goes on after its end."
            : `An event happens in "${state.name}", which ends the run${inPack(replay, name)}.`;
        return { at, message };
      }),
      reportEach("next-run", ({ at }) => {
        const message = "Another run starts here, after the end of the record.";
        return { at, message, advice: "Put each run into a file of its own." };
      }),
    ),
  },
  "run-counts": {
    summary: "The counts in a record match the transitions it shows.",
    severity: "error",
    source: "RFC 0009, max_visits and engine.budget",
    check: reportEach("count", (deviation) => ({ at: deviation.at, message: countText(deviation) })),
  },
  "run-end": {
    summary: "A record ends where its transitions lead, and its final status is correct.",
    severity: "error",
    source: "RFC 0009, terminal and max_visits",
    check: combineChecks(
      reportEach("end-state", ({ at, actual }) => ({
        at,
        message: `The record ends in "${at.text}", but the run was in "${actual}".`,
      })),
      reportEach("end-status", ({ at, actual, state, event, enters }) => {
        const fact =
          event === undefined
            ? `in "${state}", with no further event, it is ${actual}`
            : enters === undefined
              ? `"${event.text}" leaves it ${actual}`
              : `"${event.text}" enters "${enters}"`;
        return { at, message: `The record calls the run ${at.text}, but ${fact}.` };
      }),
      reportEach("end-event", ({ event }) => {
        const message = `The record calls the run running, but names "${event.text}" as the event that ended it.`;
        return { at: event, message };
      }),
      reportEach("end-target", ({ at, event, actual }) => ({
        at,
        message: `"${event}" leads to "${actual}", not to "${at.text}".`,
      })),
    ),
  },
  "run-undeclared-artifact": {
    summary: "Every artifact of a record is declared by some state.",
    severity: "error",
    source: "RFC 0009, artifact lifecycle: declaration",
    check: reportEach("undeclared-artifact", ({ name }, replay, guess) => {
      const advice = nameAdvice(name.text, replay.target.pack.artifacts.declared.keys(), guess);
      return { at: name, message: `No state declares the artifact "${name.text}".`, advice };
    }),
  },
  "run-artifact-change": {
    summary:
      "An artifact changes only in a state that declares it, and with the mode `append` it only grows.",
    severity: "error",
    source: "RFC 0009, artifact lifecycle: update",
    check: reportEach("artifact", (deviation) => {
      const { at, names, left, when } = deviation;
      const subject = `The artifact${names.length > 1 ? "s" : ""} ${listNames(names)}`;
      const [changes, changed] = changeText(deviation);
      const message = {
        leaving: `${subject} ${changes} on leaving "${left}"${objectionText(deviation)}.`,
        since: `${subject} ${changed} since the last transition${objectionText(deviation)}.`,
      }[when];
      return { at, message };
    }),
  },
  "run-artifact-history": {
    summary: "Artifacts are captured at the transitions that the history shows.",
    severity: "error",
    source: "RFC 0009, artifact lifecycle: capture",
    check: combineChecks(
      reportEach("capture", ({ at, recorded, actual }) => ({
        at,
        message: `Artifacts were captured on the transition from ${recorded}, but the history shows the transition from ${actual}.`,
      })),
      reportEach("captures", ({ at, captures, moves }) => ({
        at,
        message: `Artifacts were captured ${pluralize(captures, "time")}, but the history shows ${pluralize(moves, "transition")}.`,
      })),
    ),
  },
  "run-time-order": {
    summary: "Time does not run backwards in a record.",
    severity: "error",
    source: "RFC 0009, artifact lifecycle: capture",
    check: reportEach("time", ({ time, before }) => ({
      at: time,
      message: `${time.text} is before ${before.text}, which comes earlier in the run.`,
      related: [{ at: before, message: "the earlier part of the run" }],
    })),
  },
  "run-incomplete": {
    summary: "A record has everything that is needed to check it.",
    severity: "info",
    source: "RFC 0009, engine.budget",
    check: combineChecks(
      reportEach("cut", ({ at, shown, hasCounts }) => {
        const guards = hasCounts ? "" : " Without matching visit counts, guards are not checked either.";
        return {
          at,
          message: `The history shows only the last ${shown} transitions: the start and what came before are not checked.${guards}`,
        };
      }),
      reportEach("unclosed", ({ at }) => ({
        at,
        message: "The record has no end: what happened to the run after this is not checked.",
      })),
      reportEach("unmeasured", ({ at, limit, allowed }) => {
        const lack =
          limit === "max_tool_calls" ? "counts no tool calls" : "does not say how long the run took";
        return { at, message: `The record ${lack}, so ${limit} (${allowed.value}) is not checked.` };
      }),
    ),
  },
};

export const runRules: readonly RunRule[] = Object.entries(runRows).map(([id, row]) => ({
  ...row,
  id,
  subject: "run",
}));

/** Reports every deviation of one kind. Guesses at names are limited per check. */
function reportEach<K extends DeviationKind>(
  kind: K,
  describe: (deviation: DeviationOf<K>, replay: RunReplay, guess: NameGuess) => Finding,
): (replay: RunReplay) => Iterable<Finding> {
  return function* (replay) {
    const guess = createGuesser();
    for (const deviation of replay.deviations(kind)) yield describe(deviation, replay, guess);
  };
}
