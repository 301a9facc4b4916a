import { exchangedEvents } from "../pack/exchanged-events.js";
import { type Misspelt, misspeltEvents } from "../pack/misspelt-events.js";
import { commentWords, promptWords } from "../pack/prompt-words.js";
import type { State } from "../pack/workflow.js";
import { toEventName } from "../words/event-name.js";
import { isStateProperty } from "../meant/state-words.js";
import { listNames } from "../words/wording.js";
import type { PackRule } from "./rule.js";
import { unclearTextRules } from "./shared/held-back.js";
import { seemingUseAdvice } from "./shared/seeming-use-advice.js";

export const eventNotInPrompt: PackRule = {
  id: "event-not-in-prompt",
  subject: "pack",
  summary: "The prompt of a state mentions the events that the state waits for.",
  severity: "info",
  source: "workflow guide, prompt doesn't emit expected events",
  heldBackBy: [
    ...unclearTextRules,
    "event-name-case",
    "terminal-with-transitions",
    "unknown-event-target",
    "unknown-orchestration",
  ],
  *check(pack) {
    const { workflow } = pack;
    if (workflow === undefined) return;
    const exchanged = exchangedEvents(workflow);
    const mentions = promptWords(pack);
    const areInComments = commentWords(pack);
    const misspelt = misspeltEvents();
    for (const state of workflow.states) {
      const { name, prompt, terminal, onEvent, transitions, unclear } = state;
      if (prompt === undefined || onEvent === undefined || !isInternal(state)) continue;
      if (terminal?.value === true || unclear.has("terminal")) continue;
      // What has no target is not written to its end, or has it in its name: the schema says so.
      const all = transitions
        .filter((transition) => transition.target !== undefined && !exchanged.has(transition))
        .map(({ event }) => event.text);
      const events = new Set(all);
      // What is called like a property is hardly an event; event-name-case says so.
      const missing = all.filter((event) => !isStateProperty(event) && mentions(prompt, event) === false);
      if (missing.length === 0) continue;
      const [noun, them] = missing.length === 1 ? ["event", "it"] : ["events", "them"];
      const advice = areInComments(prompt, missing)
        ? seemingUseAdvice("comment")
        : `Tell the model when to emit ${them}.${hintOf(misspelt(prompt, missing, events))}`;
      yield {
        at: onEvent,
        message: `The prompt "${prompt.key.text}" does not mention the ${noun} ${listNames(missing)}, which state "${name.text}" waits for.`,
        advice,
        data: { events: missing },
      };
    }
  },
};

/** Not where the prompt has the name that event-name-case advises: there it is the state that should change. */
function hintOf(misspelt: Misspelt | undefined): string {
  if (misspelt === undefined || toEventName(misspelt.event) === misspelt.word) return "";
  return ` The prompt says "${misspelt.word}": is that or "${misspelt.event}" misspelt?`;
}

/** A value that no spec knows has its own rule; who sends the events is not known then. */
function isInternal({ node, orchestration }: State): boolean {
  return orchestration === undefined
    ? node?.get("orchestration") === undefined
    : orchestration.text === "internal";
}
