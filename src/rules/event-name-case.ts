import { addTo } from "../words/add-to.js";
import type { Key } from "../document/node.js";
import { isStateProperty } from "../words/homes.js";
import type { WorkflowRule } from "./rule.js";

const pascalCase = /^[A-Z][A-Za-z0-9]*$/;

export const eventNameCase: WorkflowRule = {
  id: "event-name-case",
  subject: "workflow",
  summary: "Event names are written in PascalCase.",
  severity: "warning",
  source: "RFC 0005, rule 3",
  *check({ states = [] }) {
    const uses = new Map<string, Key[]>();
    const clashing = new Set<string>();
    for (const { onEvent } of states) {
      const renamed = new Map<string, string>();
      for (const { event } of onEvent?.transitions ?? []) {
        if (!pascalCase.test(event.text)) addTo(uses, event.text, event);
        const name = toPascalCase(event.text);
        if (name === undefined) continue;
        const other = renamed.get(name) ?? event.text;
        renamed.set(name, other);
        if (other !== event.text) clashing.add(other).add(event.text);
      }
    }
    for (const [name, [first, ...others]] of uses) {
      if (first === undefined) continue;
      yield {
        at: first,
        message: `Event "${name}" is not in PascalCase.`,
        advice: adviceFor(name, clashing),
        related: others.map((at) => ({ at, message: "also used here" })),
      };
    }
  },
};

/** `clashing`: names that would become another event of the same state. */
function adviceFor(name: string, clashing: ReadonlySet<string>): string | undefined {
  if (isStateProperty(name)) return "If the property of the state is meant, put it beside on_event.";
  const renamed = clashing.has(name) ? undefined : toPascalCase(name);
  return renamed === undefined ? undefined : `Write "${renamed}".`;
}

const betweenWords = /[-_ .:/]+/;

/** The name an author would choose; none where nothing sensible is left of it. */
function toPascalCase(name: string): string | undefined {
  if (pascalCase.test(name)) return name;
  const shouted = !/[a-z]/.test(name);
  const renamed = (shouted ? name.toLowerCase() : name)
    .split(betweenWords)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
  return pascalCase.test(renamed) ? renamed : undefined;
}
