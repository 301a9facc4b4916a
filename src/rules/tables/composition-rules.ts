import { type Composition, mayHoldResult, type Step } from "../../composition/composition.js";
import { factsOf } from "../../composition/facts.js";
import { atomsOf, type Predicate, type PredicateAtom, wantedValue } from "../../composition/predicate.js";
import { constantParts } from "../../composition/questions.js";
import { hasDanglingRead, readsOf } from "../../composition/reads.js";
import { hasKnownOrder, stepsBetweenArms } from "../../composition/walk.js";
import type { Finding } from "../../diagnostic.js";
import type { Document } from "../../document/document.js";
import { addEntries, replaceText } from "../../document/edit.js";
import { type LocatedString, placeOf } from "../../document/node.js";
import type { Pack } from "../../pack/pack.js";
import { describeFound, quoteValue } from "../../schema/describe-node.js";
import { mustBe } from "../../schema/value-messages.js";
import { listChoices, listNamesOf } from "../../text/wording.js";
import { rulesOf } from "../rule.js";
import {
  namedCompositions,
  deadTargetOf,
  inCompositions,
  orderedCompositions,
  traceOf,
} from "../shared/composition-findings.js";
import { unsafeFix } from "../shared/fixes.js";
import { createNameCheck } from "../shared/name-corrections.js";

/** Rules that check states as well, which may name a composition that the pack does not have. */
const inStates = { subject: "pack", since: "1.5.0" } as const;

export const compositionRules = rulesOf(inStates, {
  "unknown-composition": {
    summary: "Every `composition` of a state is a composition of the pack.",
    severity: "error",
    fix: "unsafe",
    source: "RFC 0010, workflow states",
    *check({ pack: { workflow, compositions, hasAllCompositions, document } }) {
      if (!hasAllCompositions) return;
      const isUnknown = (name: string) => !compositions.has(name);
      const check = createNameCheck(document, isUnknown, () => compositions.keys());
      for (const { name, compositionName } of workflow?.clearStates ?? [])
        yield* check(
          compositionName,
          (found) => `State "${name.text}" names the composition "${found}", which is not in "compositions".`,
        );
    },
  },
  "composition-not-run": {
    summary: "A state that names a composition has `orchestration: composition`.",
    severity: "error",
    fix: "unsafe",
    source: "RFC 0010, workflow states",
    *check({ pack: { workflow, compositions, document } }) {
      for (const state of workflow?.clearStates ?? []) {
        const { name, node, compositionName, runsComposition, orchestration } = state;
        if (node === undefined || compositionName === undefined || runsComposition) continue;
        if (!state.isClear("orchestration")) continue;
        // unknown-composition reports an unknown name, and the schema a state without a prompt.
        if (!compositions.has(compositionName.text) || node.get("prompt_task") === undefined) continue;
        const edits =
          orchestration === undefined
            ? addEntries(document, node, [{ name: "orchestration", value: "composition" }])
            : replaceText(document, orchestration.node, "composition");
        yield {
          at: compositionName,
          alsoAt: [`${name.pointer}/orchestration`],
          message: `State "${name.text}" does not run the composition "${compositionName.text}": its orchestration is ${orchestration === undefined ? "not" : `"${orchestration.text}", not`} "composition".`,
          advice: 'Set orchestration to "composition", or remove the composition.',
          ...unsafeFix('Set orchestration to "composition".', edits),
        };
      }
    },
  },
  "unused-composition": {
    summary: "In a pack with a workflow, every composition is run by some state.",
    severity: "warning",
    section: "compositions",
    source: "promptpack, compositions",
    *check({ pack: { workflow, compositions } }) {
      // Without a workflow, a host opens compositions by name.
      if (workflow?.areClear("orchestration", "composition") !== true) return;
      const users = workflow.states.filter((state) => state.runsComposition || state.compositionName);
      const named = new Set(users.map(({ compositionName }) => compositionName?.text));
      // A misspelt or missing name may be the use.
      if ([...named].some((name) => name === undefined || !compositions.has(name))) return;
      for (const { key } of compositions.values()) {
        if (named.has(key.text)) continue;
        yield {
          at: key,
          message: `No state runs the composition "${key.text}".`,
          advice: "Run it in a state, or remove it.",
        };
      }
    },
  },
  "reserved-composition-name": {
    summary: "No composition has a name that begins with `workflow__`.",
    severity: "error",
    section: "compositions",
    source: "RFC 0010, compositions",
    *check({ pack: { compositions } }) {
      for (const { key } of compositions.values()) {
        if (!key.text.startsWith(reservedPrefix)) continue;
        yield {
          at: key,
          message: `The name of the composition "${key.text}" begins with "${reservedPrefix}", which is reserved for runtimes.`,
          advice: "Give it another name.",
        };
      }
    },
  },
  "composition-exit": {
    summary: "The host chooses the event of a state that runs a composition.",
    severity: "info",
    source: "RFC 0010, workflow states",
    *check({ pack: { workflow } }) {
      for (const { name, runsComposition, onEvent, transitions, terminal } of workflow?.clearStates ?? []) {
        if (!runsComposition || onEvent === undefined || transitions.length === 0) continue;
        // terminal-with-transitions reports events that can never fire.
        if (terminal?.value === true) continue;
        const events = transitions.map(({ event }) => event.text);
        yield {
          at: onEvent,
          message: `State "${name.text}" runs a composition, and the specification does not map its result to ${shownEvents(events)}: the host must ${events.length === 1 ? "fire it" : "choose"}.`,
        };
      }
    },
  },
});

export const outcomeRules = rulesOf(inCompositions, {
  "unreachable-step": {
    summary: "Every step of a composition is run by some outcome of its branches.",
    severity: "warning",
    source: "RFC 0010, branches",
    defersTo: ["predicate-constant"],
    *check({ pack, isOn }) {
      for (const composition of orderedCompositions(pack)) {
        const { mayRun } = factsOf(composition);
        const skipped = composition.steps.filter((step) => !mayRun(step));
        if (skipped.length === 0) continue;
        const skippedIds = new Set(skipped.map(({ id }) => id.text));
        const reported = new Set(
          isOn("predicate-constant") ? composition.steps.map((step) => deadTargetOf(step, composition)) : [],
        );
        for (const step of skipped) {
          if (reported.has(step)) continue;
          const { at, id, dependsOn } = step;
          const isCut = dependsOn.length > 0 && dependsOn.every(({ text }) => skippedIds.has(text));
          const reason = isCut
            ? `it depends on ${listNamesOf(dependsOn, ({ text }) => text)}, which never run${dependsOn.length === 1 ? "s" : ""}`
            : "every outcome of the branches skips it";
          yield { at, message: `Step "${id.text}" never runs: ${reason}.` };
        }
      }
    },
  },
  "arm-runs-on": {
    summary: "A step between the two targets of a branch depends on one of them.",
    severity: "warning",
    source: "promptpack, compositions",
    *check({ pack }) {
      for (const composition of orderedCompositions(pack))
        for (const { step, branch, first, last } of stepsBetweenArms(composition)) {
          const targets = `"${first.id.text}" and "${last.id.text}"`;
          yield {
            at: step.at,
            message: `Step "${step.id.text}" is between ${targets}, the targets of "${branch.id.text}", but runs whichever way the branch goes.`,
            advice: `Let it depend on "${first.id.text}", or move it out of there.`,
          };
        }
    },
  },
  "composition-output-skipped": {
    summary: "The step whose output is the result of a composition runs in every outcome of the branches.",
    severity: "warning",
    source: "RFC 0010, compositions",
    *check({ pack }) {
      for (const composition of orderedCompositions(pack)) {
        const { output, key, stepNamed } = composition;
        const { outputSkipped, mayRun } = factsOf(composition);
        const step = output && stepNamed(output.text);
        if (step === undefined || outputSkipped === undefined) continue;
        const isAlways = !mayRun(step);
        const [runs, fails] = isAlways ? ["never runs", "always fails"] : ["may be skipped", "then fails"];
        yield {
          at: output ?? step.at,
          message: `The output of composition "${key.text}" is that of "${step.id.text}", which ${runs}: the composition ${fails}.`,
          trace: isAlways ? undefined : traceOf(outputSkipped),
        };
      }
    },
  },
  "composition-without-output": {
    summary: "Every outcome of the branches runs a step that has an output.",
    severity: "warning",
    source: "RFC 0010, compositions",
    *check({ pack }) {
      for (const composition of orderedCompositions(pack)) {
        const { steps, stepsAt, key } = composition;
        const { withoutResult, mayRun } = factsOf(composition);
        if (withoutResult === undefined || stepsAt === undefined) continue;
        const isAlways = !steps.some((step) => mayHoldResult(step) && mayRun(step));
        const runs = isAlways ? "runs no step" : "may run no step";
        const fails = isAlways ? "always fails" : "then fails";
        yield {
          at: stepsAt,
          message: `Composition "${key.text}" ${runs} that has an output, and ${fails}.`,
          advice: "Add a step that always runs.",
          trace: isAlways ? undefined : traceOf(withoutResult),
        };
      }
    },
  },
  "unused-step-output": {
    summary: "The output of a step is read, or is the result of the composition.",
    severity: "info",
    source: "promptpack, compositions",
    *check({ pack }) {
      for (const composition of orderedCompositions(pack)) {
        // A vendor's step may read anything.
        if (hasDanglingRead(composition) || composition.allSteps.some(({ kind }) => kind === "vendor"))
          continue;
        const { mayRun, mayBeResult } = factsOf(composition);
        const targets = readsOf(composition).map(({ target }) => target);
        const read = new Set(targets.map((target) => (target.kind === "output" ? target.step : undefined)));
        for (const step of composition.steps) {
          if (read.has(step) || mayBeResult(step) || !mayRun(step) || !hasNoEffect(step, pack)) continue;
          yield {
            at: step.at,
            message: `Nothing reads the output of "${step.id.text}", and it cannot be the result.`,
            advice: "Read it in a later step, or remove the step.",
          };
        }
      }
    },
  },
  "predicate-path": {
    summary: "The path of a predicate is exactly one reference.",
    severity: "error",
    fix: "unsafe",
    source: "RFC 0010, predicates",
    *check({ pack: { compositions, document } }) {
      for (const composition of compositions.values())
        for (const { text, reference } of clearAtoms(composition.allSteps).map(({ path }) => path)) {
          if (reference !== undefined) continue;
          yield {
            at: text,
            wants: "a reference",
            message: `The path ${quoteValue(text.text)} is not exactly one reference, so it never has a value.`,
            ...correct(text, composition, document),
          };
        }
    },
  },
  "predicate-value": {
    summary: "The value of a predicate has the type that its operator compares with.",
    severity: "error",
    source: "RFC 0010, predicates",
    *check({ pack: { compositions, document } }) {
      for (const { allSteps } of compositions.values())
        for (const atom of clearAtoms(allSteps)) {
          const wants = atom.kind === "compare" ? wantedValue(atom) : undefined;
          if (atom.kind !== "compare" || wants === undefined) continue;
          const { op, value } = atom;
          const message = mustBe(`The value of "${op}"`, wants, describeFound(value, document.text));
          yield { at: placeOf(value), wants, message };
        }
    },
  },
  "predicate-constant": {
    summary: "A predicate can be true and can be false, and its branch chooses between two steps.",
    severity: "warning",
    source: "promptpack, compositions",
    *check({ pack }) {
      for (const composition of namedCompositions(pack))
        for (const branch of composition.allSteps)
          if (branch.predicate !== undefined) yield* checkBranch(branch, branch.predicate, composition);
    },
  },
});

const reservedPrefix = "workflow__";

const maxShownEvents = 6;

function shownEvents(events: readonly string[]): string {
  return events.length > maxShownEvents ? `one of its ${events.length} events` : listChoices(events);
}

/** Whether a step is there for its output alone. */
function hasNoEffect(step: Step, pack: Pack): boolean {
  if (step.kind === "prompt") return true;
  if (step.kind === "tool") return toolOf(step, pack)?.effect?.text === "read";
  return step.kind === "parallel" && step.branches.every((branch) => isHarmless(branch, pack));
}

/** Inside a `parallel`, whose outputs are merged, a tool that declares no effect counts as well. */
function isHarmless(branch: Step, pack: Pack): boolean {
  if (branch.kind !== "tool") return branch.kind === "prompt";
  const tool = toolOf(branch, pack);
  return tool !== undefined && (tool.effect === undefined || tool.effect.text === "read");
}

function toolOf({ tool }: Step, { tools }: Pack) {
  const known = tool && tools.get(tool.text);
  return known?.isUnclear === false ? known : undefined;
}

function clearAtoms(steps: readonly Step[]): readonly PredicateAtom[] {
  return steps.flatMap(({ predicate, isUnclear }) =>
    predicate === undefined || isUnclear ? [] : [...atomsOf(predicate)],
  );
}

/** A path whose braces are missing. */
function correct(text: LocatedString, { stepNamed }: Composition, document: Document) {
  const [root = "", second] = text.text.split(".");
  const isInput = root === "input" && second !== undefined;
  const isOutput = second === "output" && stepNamed(root) !== undefined;
  if (!/^[\w.]+$/.test(text.text) || !(isInput || isOutput))
    return { advice: 'Write one, such as "${classify.output.intent}".' };
  const right = `\${${text.text}}`;
  return {
    advice: `Did you mean "${right}"?`,
    ...unsafeFix(`Replace "${text.text}" with "${right}".`, replaceText(document, text.node, right)),
  };
}

function* checkBranch(branch: Step, predicate: Predicate, composition: Composition): Iterable<Finding> {
  const { id, then, otherwise } = branch;
  if (then !== undefined && then.text === otherwise?.text) {
    const message = `Branch "${id.text}" decides nothing: "then" and "else" both name "${then.text}".`;
    yield { at: predicate.at, message };
    return;
  }
  const constants = constantParts(predicate);
  const whole = constants.get(predicate);
  if (whole === undefined) {
    for (const { at, answer } of outermost(predicate, constants))
      yield { at, message: `In the predicate of "${id.text}", this part is ${howOften(answer)} true.` };
    return;
  }
  const target = hasKnownOrder(composition) ? deadTargetOf(branch, composition) : undefined;
  const result = target === undefined ? "" : `, so "${target.id.text}" never runs`;
  yield { at: predicate.at, message: `The predicate of "${id.text}" is ${howOften(whole)} true${result}.` };
}

function howOften(answer: boolean): string {
  return answer ? "always" : "never";
}

/** The constant parts that are in no other. */
function* outermost(predicate: Predicate, constants: ReadonlyMap<Predicate, boolean>) {
  const open: Predicate[] = [predicate];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const answer = constants.get(next);
    if (answer !== undefined) yield { at: next.at, answer };
    else if (next.kind === "not") open.push(next.part);
    else if (next.kind === "all" || next.kind === "any")
      for (const part of next.parts.toReversed()) open.push(part);
  }
}
