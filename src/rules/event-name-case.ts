import { appendTo } from "../text/collections.js";
import type { Key } from "../document/node.js";
import { hasNonAsciiLetters, isEventName, toEventName } from "../text/names.js";
import { capitalize, listNames } from "../text/wording.js";
import type { WorkflowRule } from "./rule.js";

export const eventNameCase: WorkflowRule = {
  id: "event-name-case",
  subject: "workflow",
  summary: "Event names are written in PascalCase.",
  severity: "warning",
  source: "RFC 0005, rule 3",
  *check(workflow) {
    const uses = new Map<string, Key[]>();
    const clashing = new Set<string>();
    for (const { transitions } of workflow.clearStates) {
      const renamed = new Map<string, string>();
      for (const { event } of transitions) {
        if (!isEventName(event.text)) appendTo(uses, event.text, event);
        const name = toEventName(event.text);
        if (name === undefined) continue;
        const other = renamed.get(name) ?? event.text;
        renamed.set(name, other);
        if (other !== event.text) clashing.add(other).add(event.text);
      }
    }
    const places = [...uses].flatMap(([name, [first, ...others]]) => {
      if (first === undefined) return [];
      const better = adviceFor(name, clashing);
      return [
        { at: first, message: better === undefined ? `"${name}" is here` : `for "${name}", ${better}`, name },
        ...others.map((at) => ({ at, message: `"${name}" is also used here`, name })),
      ];
    });
    const [first, ...related] = places;
    if (first === undefined) return;
    const names = [...uses.keys()];
    const better = adviceFor(first.name, clashing) ?? "choose another name";
    const many = names.length > 1;
    yield {
      at: first.at,
      message: `${many ? "Events" : "Event"} ${listNames(names)} ${many ? "are" : "is"} not in PascalCase.`,
      advice: `${capitalize(better)}; the prompts and the host must change with it.`,
      related,
    };
  },
};

/** `clashing`: names that, in PascalCase, would equal another event of the same state. */
function adviceFor(name: string, clashing: ReadonlySet<string>): string | undefined {
  if (hasNonAsciiLetters(name)) return "use only the letters A–Z and a–z, and digits";
  const renamed = clashing.has(name) ? undefined : toEventName(name);
  return renamed === undefined ? undefined : `write "${renamed}"`;
}
