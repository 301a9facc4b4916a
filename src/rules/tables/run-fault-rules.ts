import { type Finding, lapOf } from "../../diagnostic.js";
import { removeEntry } from "../../document/edit.js";
import { type Obstacle, obstaclesByTarget, runFaults, type Trap, verdictsOf } from "../../machine/facts.js";
import { stoppingGuards } from "../../machine/laps.js";
import { endsEveryRun, type Workflow } from "../../pack/workflow.js";
import { isOlderThan } from "../../schema/spec-version.js";
import { joinWords, listNames } from "../../text/wording.js";
import { type Rule, rulesOf } from "../rule.js";
import {
  describeLoop,
  findingWithWitness,
  guardAdvice,
  lapText,
  shownLap,
  stateNamesOf,
  terminalMarker,
} from "../shared/describe-loop.js";
import { safeFix } from "../shared/fixes.js";

export const runFaultRules = rulesOf("graph", {
  "unreachable-state": {
    summary: "Every state can be entered by some run.",
    severity: "warning",
    source: "RFC 0005, question 3; workflow guide, checklist",
    *check({ workflow, facts }) {
      const { unreachable } = verdictsOf(workflow, facts);
      if (unreachable.length === 0) return;
      const starts = listNames(workflow.roots.map(({ name }) => name.text));
      const obstacles = obstaclesByTarget(unreachable, workflow);
      for (const { name } of unreachable) {
        const obstacle = obstacles.get(name.text);
        const claim = `never enter "${name.text}": ${obstacleText(obstacle)}.`;
        yield {
          at: name,
          message: `Runs from ${starts} ${claim}`,
          claim,
          advice:
            obstacle?.kind === "unguarded" && facts.reentered.has(obstacle.by.index)
              ? `Give "${obstacle.by.name.text}" a max_visits, or remove "${name.text}" and what names it.`
              : `Add an event that leads to it, or remove it${obstacle === undefined ? "" : " and what names it"}.`,
        };
      }
    },
  },
  "unbounded-loop": {
    summary: "Every loop has a guard or a budget that ends it.",
    severity: "warning",
    fix: "proved",
    source: "RFC 0005, rule 2; RFC 0009, loop guards",
    defersTo: ["no-terminal-state", "trapped-states", "agent-turn-loop"],
    *check({ workflow, facts, isOn }) {
      const isOlder = isOlderThan(workflow.spec, "1.4.0");
      for (const loop of runFaults(workflow, facts, isOn)["unbounded-loop"]) {
        const fault = `${loop.certain ? "can" : "may"} repeat forever`;
        yield* findingWithWitness(workflow, loop, {
          message: describeLoop(workflow, facts, loop, fault),
          advice: isOlder
            ? "From spec 1.4 on, max_visits or engine.budget can end it."
            : `${guardAdvice(workflow, loop)}, or set engine.budget.max_total_visits.`,
        });
      }
    },
  },
  "no-terminal-state": {
    summary: "At least one state ends the run.",
    severity: "warning",
    fix: "proved",
    source: "workflow guide, checklist",
    *check({ workflow, facts, isOn }) {
      for (const { loops } of runFaults(workflow, facts, isOn)["no-terminal-state"]) {
        const [loop] = loops;
        const lap = loop && shownLap(loop);
        const until = endsEveryRun(workflow) !== false ? "until the budget ends them" : "forever";
        yield {
          at: workflow.statesAt,
          message: "No state ends the run: every one has events that lead on.",
          advice: [
            ...(lap === undefined ? [] : [`Runs can loop ${until}: ${lapText(lap)}.`]),
            `Give the state where runs should end ${terminalMarker(workflow)} in place of its events, or add such a state.`,
          ].join(" "),
          ...(loop !== undefined && {
            trace: loop.witness,
            data: { states: stateNamesOf(workflow, loop.states) },
          }),
        };
      }
    },
  },
  "trapped-states": {
    summary: "From every state that can be entered, a run can end.",
    severity: "warning",
    fix: "proved",
    source: "RFC 0005, rule 2; workflow guide, circular loops without exit",
    defersTo: ["no-terminal-state"],
    *check({ workflow, facts, isOn }) {
      const until = endsEveryRun(workflow) !== false ? "until the budget ends it" : "forever";
      for (const region of runFaults(workflow, facts, isOn)["trapped-states"]) {
        const names = listNames(stateNamesOf(workflow, region.states));
        yield* findingWithWitness(workflow, region, {
          message: `A run can get trapped in ${names} ${until}: ${trapText(workflow, region)}.`,
          advice: exitAdvice(workflow, region),
          ...relatedPlaces(workflow, region),
        });
      }
    },
  },
  "never-completes": {
    summary: "From every state that can be entered, a run can complete.",
    severity: "warning",
    fix: "proved",
    source: "RFC 0009, terminal states; workflow guide, checklist",
    defersTo: ["no-terminal-state"],
    *check({ workflow, facts, isOn }) {
      const [found] = runFaults(workflow, facts, isOn)["never-completes"];
      if (found === undefined) return;
      const names = stateNamesOf(workflow, found.states);
      const guards = stateNamesOf(workflow, stoppingGuards(facts, found.states));
      const guard = guards.length === 0 ? "a spent max_visits" : `the max_visits of ${listNames(guards)}`;
      const budget = endsEveryRun(workflow) !== false ? " or the budget" : "";
      yield* findingWithWitness(workflow, found, {
        message: `From ${listNames(names)} no run completes: it can only be stopped by ${guard}${budget}.`,
        advice: completionAdvice(guards),
      });
    },
  },
});

function obstacleText(obstacle: Obstacle | undefined): string {
  switch (obstacle?.kind) {
    case undefined:
      return "nothing leads there";
    case "adrift":
      return "only states that no run enters lead there";
    case "terminal":
      return `"${obstacle.by.name.text}", which leads there, is terminal`;
    case "unguarded":
      return `"${obstacle.by.name.text}", which names it in on_max_visits, has no max_visits`;
    case "unspent":
      return `"${obstacle.by.name.text}" would redirect to it once spent, but no run gets that far`;
  }
}

/** Why runs cannot leave; guards that trap only some of the states are listed with those. */
function trapText(workflow: Workflow, { states, closedBy }: Trap): string {
  const why =
    states.length === 1 ? "its events lead only back to it" : "their events lead only to each other";
  const closures = closedBy().filter(({ guards }) => guards?.length !== 0);
  return closures.reduce((words, { states: some, guards }) => {
    const names = guards && listNames(stateNamesOf(workflow, guards));
    const once =
      names === undefined
        ? "depending on which guards are spent"
        : `once ${names} ${guards?.length === 1 ? "is" : "are"} spent`;
    return some.length === states.length
      ? `${once}, ${words}`
      : `${words}, those of ${listNames(stateNamesOf(workflow, some))} ${once}`;
  }, why);
}

/** An exit helps only in a state that every trapped run comes to. */
function exitAdvice(workflow: Workflow, { states, sinkLoops }: Trap): string {
  const [sink, ...others] = sinkLoops();
  if (states.length === 1 || sink?.length === states.length)
    return "Add an event that leads to a state that ends the run.";
  if (sink === undefined) return "Wherever runs loop, add an event that leads to a state that ends the run.";
  const where = [sink, ...others].map((each) => `in ${listNames(stateNamesOf(workflow, each))}`);
  if (where.length > maxSinkLoops) where.splice(maxSinkLoops - 1, where.length, "elsewhere");
  return others.length === 0
    ? `Every trapped run ends up ${where[0]}: add an event there that leads to a state that ends the run.`
    : `Trapped runs end up ${joinWords(where, "or")}: add an event in each that leads to a state that ends the run.`;
}

const maxSinkLoops = 3;

/** Where the run shown loops, or at least gets trapped, if that is not the place of the finding. */
function relatedPlaces({ stateNamed }: Workflow, { states, witness }: Trap): Pick<Finding, "related"> {
  const [lap] = lapOf(witness) ?? [];
  const name = lap?.from ?? witness?.steps.at(-1)?.to;
  const trapped = typeof name === "string" ? stateNamed(name) : undefined;
  if (trapped === undefined || trapped.index === states[0]) return {};
  const message = lap === undefined ? "the run shown gets trapped here" : "the run shown loops from here";
  return { related: [{ at: trapped.name, message }] };
}

function completionAdvice(guards: readonly string[]): string {
  if (guards.length === 0)
    return "Add an event, or an on_max_visits, that leads to a state that ends the run.";
  const [each, events] = guards.length === 1 ? ["", "an event that does"] : ["each of ", "events that do"];
  return `Give ${each}${listNames(guards)} an on_max_visits that leads to a state that ends the run, or add ${events}.`;
}

export const turnRules: readonly Rule[] = [
  ...rulesOf("workflow", {
    "control-on-terminal": {
      summary: "A state that ends the run does not keep the turn.",
      severity: "warning",
      fix: "safe",
      since: "1.7.0",
      source: "RFC 0014, rule 3",
      *check({ workflow: { clearStates }, facts: { machine }, pack: { document } }) {
        for (const { index, name, node, control, terminal } of clearStates) {
          if (control?.text !== "agent" || machine.states[index]?.ends !== true) continue;
          yield {
            at: control,
            message: `State "${name.text}" ends the run, so the agent cannot keep the turn there.`,
            advice: "Remove control.",
            related: terminal?.value === true ? [{ at: terminal, message: "marked terminal here" }] : [],
            ...safeFix("Remove control.", node && removeEntry(document, node, "control")),
          };
        }
      },
    },
  }),
  ...rulesOf("graph", {
    "agent-turn-loop": {
      summary: "In every loop that no guard ends, the user gets the turn.",
      severity: "warning",
      fix: "proved",
      since: "1.7.0",
      source: "RFC 0014, rule 4",
      defersTo: ["no-terminal-state", "trapped-states"],
      *check({ workflow, facts, isOn }) {
        const inOneTurn =
          endsEveryRun(workflow) !== false
            ? "within one turn, until the budget ends it"
            : "forever within one turn";
        for (const loop of runFaults(workflow, facts, isOn)["agent-turn-loop"]) {
          const fault = `${loop.certain ? "can" : "may"} repeat ${inOneTurn}`;
          yield* findingWithWitness(workflow, loop, {
            message: describeLoop(workflow, facts, loop, fault),
            advice: `${guardAdvice(workflow, loop)}, or let the user have the turn on every lap with control: user.`,
          });
        }
      },
    },
  }),
];
