import type { Finding } from "../../diagnostic.js";
import type { MappingNode } from "../../document/node.js";
import { misspelt, nearestName } from "../../words/nearest-name.js";
import { secondsOf } from "../../routes/duration.js";
import type { LoopSettings } from "../../routes/routes-file.js";
import type { RoutesRule } from "../rule.js";
import { besideConfig } from "../shared/beside-config.js";

const limits = [
  { name: "max_steps", most: 1000, consequence: "a run may go on forever" },
  { name: "max_reframes", most: 100, consequence: "nothing limits how often a run starts over" },
];
/** One job runs at a time, so a turn that hangs keeps everything waiting. */
const mostSeconds = 3600;

function* configFindings(loop: LoopSettings, config: MappingNode): Iterable<Finding> {
  const maxSteps = config.get("max_steps");
  if (maxSteps?.kind === "scalar" && maxSteps.value === 1) {
    const message = '"max_steps" is 1: a run reaches it with its first step, and can then only escalate.';
    yield { at: maxSteps, message };
  }
  for (const { name, most, consequence } of limits) {
    const node = config.get(name);
    if (node === undefined) {
      const message = `The loop sets no "${name}", so ${consequence}.`;
      yield { at: loop.at, message, advice: besideConfig(loop, name) ?? misspelt(name, namesIn(config)) };
    } else if (node.kind === "scalar" && typeof node.value === "number" && node.value > most) {
      yield {
        at: node,
        message: `"${name}" is ${node.value}, too high to limit anything.`,
        advice: `Keep it at ${most} or less.`,
      };
    }
  }
}

function* timeoutFindings({ at, plugin }: LoopSettings): Iterable<Finding> {
  const timeouts = plugin.get("timeouts");
  // Nothing is known to be missing in what could not be read.
  if (timeouts !== undefined && timeouts.kind !== "mapping") return;
  const node = timeouts?.get("handle");
  if (node === undefined) {
    const message = 'The loop sets no timeout for "handle", so a turn that hangs blocks everything.';
    yield { at, message, advice: timeoutAdvice(plugin, timeouts) };
  } else if (node.kind === "scalar" && typeof node.value !== "boolean" && node.value !== null) {
    const seconds = secondsOf(node.value);
    if (seconds === undefined)
      yield { at: node, message: `"${node.value}" is not a duration such as 120s or 2m.` };
    else if (seconds <= 0) yield { at: node, message: 'The timeout of "handle" leaves no time for a turn.' };
    else if (seconds > mostSeconds) {
      yield {
        at: node,
        message: 'The timeout of "handle" is over an hour, and one turn keeps all other jobs waiting.',
      };
    }
  }
}

function timeoutAdvice(plugin: MappingNode, timeouts: MappingNode | undefined): string | undefined {
  if (timeouts !== undefined) return misspelt("handle", namesIn(timeouts));
  // `timeout: 30s` is another setting.
  const isOther = (name: string) => name === "timeout" && plugin.get(name)?.kind !== "mapping";
  const near = nearestName(
    "timeouts",
    namesIn(plugin).filter((name) => !isOther(name)),
  );
  return near === undefined ? undefined : `Did you misspell "timeouts" as "${near}"?`;
}

function namesIn({ entries }: MappingNode): readonly string[] {
  return entries.map(({ key }) => key.text);
}

export const routeLimits: RoutesRule = {
  id: "route-limits",
  subject: "routes",
  summary: "`max_steps`, `max_reframes` and the timeout of `handle` are set to sensible values.",
  severity: "warning",
  source: "RFC-103, security and scope",
  *check({ loop }) {
    if (loop === undefined) return;
    if (loop.config !== undefined) yield* configFindings(loop, loop.config);
    yield* timeoutFindings(loop);
  },
};
