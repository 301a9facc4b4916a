import type { Key } from "../../document/node.js";
import { eventMentions, misspeltEvents, unknownEvents } from "../../pack/event-mentions.js";
import type { Pack } from "../../pack/pack.js";
import type { Prompt } from "../../pack/prompt.js";
import { strayBudgets, unknownWorkflowVersion } from "../../pack/workflow.js";
import { isOlderThan } from "../../schema/spec-version.js";
import { moveFix } from "../../schema/unknown-property.js";
import { appendTo } from "../../text/collections.js";
import { hasNonAsciiLetters, isEventName, suggestName, toEventName } from "../../text/names.js";
import { capitalize, listNames } from "../../text/wording.js";
import { rulesOf } from "../rule.js";
import { checkChoice, nearestNameFix, replaceWordFix } from "../shared/fixes.js";
import { listPrompts, promptCheck, stateCheck } from "../shared/name-corrections.js";

export const workflowNameRules = rulesOf("workflow", {
  "unknown-entry": {
    summary: "The entry of the workflow is one of its states.",
    severity: "error",
    fix: "unsafe",
    source: "RFC 0005, rule 1",
    *check({ workflow, pack }) {
      const check = stateCheck(pack, workflow);
      yield* check(workflow.entry, (entry) => `The workflow starts at "${entry}", which is not a state.`);
    },
  },
  "unknown-prompt-task": {
    summary: "Every state runs a prompt of the pack.",
    severity: "error",
    fix: "unsafe",
    source: "RFC 0005, rule 2",
    *check({ workflow, pack }) {
      const check = promptCheck(pack);
      for (const { name, promptTask, runsComposition } of workflow.clearStates)
        yield* check(
          runsComposition ? undefined : promptTask,
          (prompt) => `State "${name.text}" runs the prompt "${prompt}", which is not in "prompts".`,
        );
    },
  },
  "unknown-event-target": {
    summary: "Every event leads to a state of the workflow.",
    severity: "error",
    fix: "unsafe",
    source: "RFC 0005, rule 2",
    *check({ workflow, pack }) {
      const check = stateCheck(pack, workflow);
      for (const { name, transitions } of workflow.clearStates)
        for (const { event, target } of transitions)
          yield* check(
            target,
            (state) => `State "${name.text}" sends ${event.text} to "${state}", which is not a state.`,
          );
    },
  },
  "event-name-case": {
    summary: "Event names are written in PascalCase.",
    severity: "info",
    source: "RFC 0005, rule 3",
    *check({ workflow }) {
      const uses = new Map<string, Key[]>();
      const clashing = new Set<string>();
      for (const { transitions } of workflow.clearStates) {
        const renamed = new Map<string, string>();
        for (const { event, target } of transitions) {
          // Part of a key such as "Next:done" may be its target.
          if (target === undefined) continue;
          if (!isEventName(event.text)) appendTo(uses, event.text, event);
          const name = toEventName(event.text);
          if (name === undefined) continue;
          const other = renamed.get(name) ?? event.text;
          renamed.set(name, other);
          if (other !== event.text) clashing.add(other).add(event.text);
        }
      }
      const [first, ...related] = [...uses].flatMap(([name, places]) => {
        const better = renameAdvice(name, clashing);
        const here = better === undefined ? `"${name}" is here` : `for "${name}", ${better}`;
        return places.map((at, index) => ({
          at,
          message: index === 0 ? here : `"${name}" is also used here`,
        }));
      });
      if (first === undefined) return;
      const names = [...uses.keys()];
      const better = renameAdvice(first.at.text, clashing) ?? "choose another name";
      const many = names.length > 1;
      yield {
        at: first.at,
        message: `${many ? "Events" : "Event"} ${listNames(names)} ${many ? "are" : "is"} not in PascalCase.`,
        advice: `${capitalize(better)}; the prompts and the host must change with it.`,
        related,
      };
    },
  },
  "event-name-vague": {
    summary: "The name of an event says what has happened.",
    severity: "info",
    source: "RFC 0005, rule 3",
    *check({ workflow }) {
      for (const { event, target } of workflow.clearStates.flatMap(({ transitions }) => transitions)) {
        if (target === undefined || !vagueName.test(event.text)) continue;
        yield {
          at: event,
          message: `The name of event "${event.text}" does not say what has happened.`,
          advice: 'Name it after that, as in "PlanApproved"; the prompts and the host must change with it.',
          group: { name: "", also: `"${event.text}" is here` },
        };
      }
    },
  },
});

const vagueName = /^(?:[a-z]|event|state|step|transition|foo|bar|baz)\d*$/i;

export const workflowFieldRules = rulesOf("workflow", {
  "unknown-engine-key": {
    summary: "`engine` spells `budget` right and keeps its fields inside it.",
    severity: "info",
    fix: "unsafe",
    source: "RFC 0005, rule 4; RFC 0009, execution budgets",
    *check({ workflow: { engine }, pack: { document } }) {
      for (const { key, isField } of strayBudgets(engine)) {
        yield {
          at: key,
          ...(isField
            ? {
                message: `"${key.text}" has no effect here: it belongs inside engine.budget.`,
                alsoAt: [`${engine?.pointer ?? ""}/budget`],
                fix: engine && moveFix(document, engine, key.text, "budget"),
              }
            : {
                message: `"${key.text}" is not an engine setting that the specification defines.`,
                advice: 'Did you mean "budget"?',
                ...nearestNameFix(document, key, ["budget"]),
              }),
        };
      }
    },
  },
  "unknown-persistence": {
    summary: "`persistence` is `transient` or `persistent`.",
    severity: "warning",
    fix: "unsafe",
    source: "RFC 0005, WorkflowState",
    *check({ workflow: { clearStates }, pack: { document } }) {
      for (const { name, persistence } of clearStates)
        yield* checkChoice(document, persistence, ["transient", "persistent"], {
          owner: `State "${name.text}"`,
          what: "persistence",
        });
    },
  },
  "unknown-orchestration": {
    summary: "`orchestration` is `internal`, `external` or `hybrid`.",
    severity: "warning",
    fix: "unsafe",
    source: "RFC 0005, WorkflowState",
    *check({ workflow: { clearStates, spec }, pack: { document } }) {
      // Later schemas list the values.
      if (!isOlderThan(spec, "1.5.0")) return;
      for (const { name, orchestration } of clearStates)
        yield* checkChoice(document, orchestration, ["internal", "external", "hybrid"], {
          owner: `State "${name.text}"`,
          what: "orchestration",
          ...(orchestration?.text === "composition" && {
            remedy: "It is a value of spec 1.5: pin that, or a later version.",
          }),
        });
    },
  },
  "workflow-version": {
    summary: "The version of the workflow is one that a published specification defines.",
    severity: "warning",
    source: "RFC 0005, workflow; RFC 0009, question 1",
    *check({ workflow }) {
      const message = unknownWorkflowVersion(workflow);
      if (message !== undefined) yield { at: workflow.version ?? workflow.at, message };
    },
  },
});

export const eventMentionRules = rulesOf("pack", {
  "event-not-in-prompt": {
    summary: "The prompt of a state mentions the events that the state waits for.",
    severity: "info",
    source: "workflow guide, prompt doesn't emit expected events",
    defersTo: ["event-unknown-in-prompt"],
    *check({ pack, isOn }) {
      for (const { state, prompt, onEvent, missing, namesNone } of eventMentions(pack)) {
        const left = namesNone ? withoutMisspelt(missing, prompt, pack, isOn) : [];
        if (left.length === 0) continue;
        const [noun, them] = left.length === 1 ? ["event", "it"] : ["events", "them"];
        yield {
          at: onEvent,
          message: `The prompt "${prompt.key.text}" does not mention the ${noun} ${listNames(left)}, which state "${state.name.text}" waits for.`,
          advice: `Tell the model when to emit ${them}.`,
          data: { events: left },
        };
      }
    },
  },
  "event-left-out": {
    summary: "A prompt that mentions some events of its state mentions all of them, spelled exactly.",
    severity: "warning",
    source: "workflow guide, prompt doesn't emit expected events",
    defersTo: ["event-unknown-in-prompt"],
    *check({ pack, isOn }) {
      for (const { state, prompt, onEvent, exact, otherCase, missing } of eventMentions(pack)) {
        const left = withoutMisspelt(missing, prompt, pack, isOn);
        if (exact.length + otherCase.length === 0 || otherCase.length + left.length === 0) continue;
        const omits = exact.length === 0 ? "does not mention" : "mentions other events, but not";
        const parts = [
          ...(left.length === 0 ? [] : [`${omits} ${listNames(left)}`]),
          ...(otherCase.length === 0 ? [] : [`mentions ${listNames(otherCase)} only in another letter case`]),
        ];
        yield {
          at: onEvent,
          message: `In state "${state.name.text}", the prompt "${prompt.key.text}" ${parts.join(", and ")}.`,
          advice:
            otherCase.length === 0
              ? `Tell the model when to emit ${left.length === 1 ? "it" : "them"}.`
              : "Name each event as on_event spells it: runtimes match exactly.",
          data: { events: [...left, ...otherCase] },
        };
      }
    },
  },
  "event-unknown-in-prompt": {
    summary: "A prompt asks only for events that its states wait for.",
    severity: "warning",
    fix: "unsafe",
    source: "workflow guide, prompt doesn't emit expected events",
    defersTo: ["event-left-out"],
    *check({ pack, isOn }) {
      for (const [asked, { askers, waiting }] of unknownEvents(pack)) {
        const { name, source } = asked;
        const isCaseOnly = ({ near = "" }) => near.toLowerCase() === name.toLowerCase();
        const reported = isOn("event-left-out") ? askers.filter((asker) => !isCaseOnly(asker)) : askers;
        const [first, ...others] = reported;
        if (first === undefined) continue;
        const [state, another] = first.states;
        const [asks, them] = others.length === 0 ? ["asks", "it"] : ["ask", "them"];
        const isOne = others.length === 0 && state !== undefined && another === undefined;
        const who = isOne ? `state "${state.name.text}" does` : `the states that run ${them} do`;
        const near = first.near === undefined ? [] : [suggestName(name, first.near)];
        const other = waiting === undefined ? [] : [`State "${waiting.name.text}" waits for "${name}".`];
        const isSure = waiting === undefined && reported.every((asker) => asker.onlyNear === first.onlyNear);
        const prompts = capitalize(listPrompts(reported.map(({ prompt }) => prompt)));
        yield {
          at: source.placeOf(asked),
          message: `${prompts} ${asks} for the event "${name}", which ${who} not wait for.`,
          advice: [...near, ...other].join(" ") || 'Add it to "on_event", or take it out of the prompt.',
          ...(isSure &&
            first.onlyNear !== undefined &&
            replaceWordFix(pack.document, source.text, asked, first.onlyNear)),
          data: { event: name },
        };
      }
    },
  },
});

/** Those that event-unknown-in-prompt does not suggest. */
function withoutMisspelt(
  events: readonly string[],
  prompt: Prompt,
  pack: Pack,
  isOn: (rule: string) => boolean,
): readonly string[] {
  const misspelt = isOn("event-unknown-in-prompt") ? misspeltEvents(pack).get(prompt) : undefined;
  return misspelt === undefined ? events : events.filter((event) => !misspelt.has(event));
}

/** `clashing`: names that, in PascalCase, would equal another event of the same state. */
function renameAdvice(name: string, clashing: ReadonlySet<string>): string | undefined {
  if (hasNonAsciiLetters(name)) return "use only the letters A–Z and a–z, and digits";
  const renamed = clashing.has(name) ? undefined : toEventName(name);
  return renamed === undefined ? undefined : `write "${renamed}"`;
}
