import type { Finding } from "../../diagnostic.js";
import { misspelt, nearestName } from "../../words/nearest-name.js";
import { secondsOf } from "../../routes/duration.js";
import type { LoopSettings } from "../../routes/routes-file.js";
import type { RoutesRule } from "../rule.js";

const mostSteps = 1000;
const mostReframes = 100;
/** One job runs at a time, so a turn that hangs keeps everything waiting. */
const mostSeconds = 3600;

function* timeoutFindings(loop: LoopSettings): Iterable<Finding> {
  const { at, handleTimeout: node, ownNames, timeoutNames } = loop;
  if (node === undefined) {
    const message = 'The loop sets no timeout for "handle", so a turn that hangs blocks everything.';
    const near = timeoutNames === undefined ? nearestName("timeouts", ownNames) : undefined;
    const advice =
      near === undefined
        ? misspelt("handle", timeoutNames ?? [])
        : `Did you misspell "timeouts" as "${near}"?`;
    yield { at, message, advice };
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

export const routeLimits: RoutesRule = {
  id: "route-limits",
  subject: "routes",
  summary: "`max_steps`, `max_reframes` and the timeout of `handle` are set to sensible values.",
  severity: "warning",
  source: "RFC-103, security and scope",
  *check({ loop }) {
    if (loop === undefined) return;
    const settings = [
      ["max_steps", loop.maxSteps, mostSteps, "a run may go on forever"],
      ["max_reframes", loop.maxReframes, mostReframes, "nothing limits how often a run starts over"],
    ] as const;
    if (loop.maxSteps?.kind === "scalar" && loop.maxSteps.value === 1) {
      const message = '"max_steps" is 1: a run reaches it with its first step, and can then only escalate.';
      yield { at: loop.maxSteps, message };
    }
    for (const [name, node, most, consequence] of settings) {
      if (node === undefined) {
        if (!loop.hasConfig) continue;
        const others = loop.names.filter((other) => !settings.some(([known]) => known === other));
        const message = `The loop sets no "${name}", so ${consequence}.`;
        const advice = loop.ownNames.includes(name)
          ? 'It stands beside "config": move it inside.'
          : misspelt(name, others);
        yield { at: loop.at, message, advice };
      } else if (node.kind === "scalar" && typeof node.value === "number" && node.value > most) {
        yield {
          at: node,
          message: `"${name}" is ${node.value}, too high to limit anything.`,
          advice: `Keep it at ${most} or less.`,
        };
      }
    }
    if (loop.hasTimeouts) yield* timeoutFindings(loop);
  },
};
