import type { Composition, Step } from "../../composition/composition.js";
import type { Finding, Words } from "../../diagnostic.js";
import type { Document } from "../../document/document.js";
import { type LocatedString, placeOf } from "../../document/node.js";
import { clearSteps, type Pack } from "../../pack/pack.js";
import { mayGrantTools } from "../../pack/skills.js";
import { type ArgumentFault, argumentFaults } from "../../pack/variable.js";
import { fieldsOfStep, kindsWithField } from "../../schema/pack-places.js";
import { describeFound } from "../../schema/describe-node.js";
import {
  createGuesser,
  misspelledAsAdvice,
  nameAdvice,
  suggestName,
  uniqueNearestName,
} from "../../text/names.js";
import { joinWords, listNames } from "../../text/wording.js";
import { rulesOf } from "../rule.js";
import { namedCompositions, inCompositions } from "../shared/composition-findings.js";
import { checkChoice, nearestNameFix, replaceNameFix, withRenameFix } from "../shared/fixes.js";
import { createCorrector, createNameCheck, promptCheck, repeatedNames } from "../shared/name-corrections.js";

export const stepRules = rulesOf(inCompositions, {
  "duplicate-step": {
    summary: "The steps of a composition have different ids, and none is called `input`.",
    severity: "error",
    source: "RFC 0010, steps",
    *check({ pack: { compositions } }) {
      for (const { key, allSteps } of compositions.values()) {
        const ids = allSteps.flatMap(({ id, isUnclear }) => (isUnclear ? [] : { at: id, name: id.text }));
        yield* repeatedNames(ids, (id) => `Composition "${key.text}" has another step with the id "${id}".`);
        const input = ids.find(({ name }) => name === "input");
        if (input === undefined) continue;
        const message = `A step of composition "${key.text}" is called "input", which is the name of the composition's own input.`;
        yield { at: input.at, message, advice: "Give the step another id." };
      }
    },
  },
  "unknown-step-prompt": {
    summary: "Every `prompt` and `agent` step runs a prompt of the pack.",
    severity: "error",
    fix: "unsafe",
    source: "RFC 0010, steps",
    *check({ pack }) {
      const check = promptCheck(pack);
      for (const { id, promptTask } of clearSteps(pack))
        yield* check(
          promptTask,
          (prompt) => `Step "${id.text}" runs the prompt "${prompt}", which is not in "prompts".`,
        );
    },
  },
  "unknown-step-tool": {
    summary: "Every tool that a step calls or lists is a tool of the pack, or the runtime's own.",
    severity: "error",
    fix: "unsafe",
    source: "RFC 0010, steps",
    *check({ pack: { tools, toolUse, document } }) {
      const correct = createCorrector(document);
      for (const { step, name, isUnknown } of toolUse.ofSteps) {
        if (!isUnknown) continue;
        const verb = step.kind === "tool" ? "calls" : "lists";
        const message = `Step "${step.id.text}" ${verb} the tool "${name.text}", which is not in "tools".`;
        yield { at: name, wants: "a tool", message, ...correct(name, () => tools.keys()) };
      }
    },
  },
  "unknown-step-eval": {
    summary: "Every eval that a step names is an eval of the pack.",
    severity: "error",
    fix: "unsafe",
    source: "RFC 0010, modifiers",
    *check({ pack }) {
      const { evals, hasAllEvals, document } = pack;
      if (!hasAllEvals) return;
      const known = new Set(evals.flatMap(({ id }) => id?.text ?? []));
      const isUnknown = (name: string) => !known.has(name);
      const check = createNameCheck(document, isUnknown, () => known);
      for (const { id, evals: names } of clearSteps(pack))
        for (const at of names)
          yield* check(
            at,
            (name) => `Step "${id.text}" names the eval "${name}", but no eval in "evals" has this id.`,
          );
    },
  },
  "unknown-step": {
    summary:
      "`then`, `else`, `depends_on` and `output` name steps of the composition; `output` one with an output.",
    severity: "error",
    fix: "unsafe",
    source: "RFC 0010, steps",
    *check({ pack }) {
      const correct = createCorrector(pack.document);
      for (const composition of namedCompositions(pack)) {
        const { steps, allSteps, stepNamed } = composition;
        for (const step of allSteps) {
          for (const { name, isTarget, text } of stepsNamedBy(step)) {
            if (stepNamed(name.text) !== undefined) continue;
            const mayBeNamed = ({ index }: Step) => (isTarget ? index > step.index : index < step.index);
            const message = `${text}, which is not a step.`;
            yield { at: name, wants: "a step", message, ...correct(name, () => idsOf(steps, mayBeNamed)) };
          }
        }
        const { output } = composition;
        const fault = output && outputFault(output, composition);
        if (output === undefined || fault === undefined) continue;
        const correction = correct(output, () => idsOf(steps, ({ kind }) => kind !== "branch"));
        yield { at: output, wants: "a step", ...correction, ...fault };
      }
    },
  },
  "step-order": {
    summary: "A branch leads to later steps, and a step depends on earlier ones.",
    severity: "error",
    source: "RFC 0010, steps",
    *check({ pack }) {
      for (const { steps, stepNamed, isRepeated } of namedCompositions(pack)) {
        // nested-step reports names inside a parallel step, duplicate-step those of several steps.
        const indexOf = (name: string): number | undefined => {
          const step = isRepeated(name) ? undefined : stepNamed(name);
          return step?.parent === undefined ? step?.index : undefined;
        };
        for (const step of steps)
          for (const { name, isTarget, subject, text } of stepsNamedBy(step)) {
            const named = indexOf(name.text);
            if (named === undefined || (isTarget ? named > step.index : named < step.index)) continue;
            const order = `${text}, which comes ${isTarget ? "before" : "after"} it.`;
            const message = named === step.index ? `${subject} itself.` : order;
            const wanted = isTarget
              ? "once, in file order: name a later one"
              : "in file order: name an earlier one";
            yield { at: name, message, advice: `Steps run ${wanted}.` };
          }
      }
    },
  },
  "nested-step": {
    summary:
      "No branch or dependency names a step inside a `parallel` step, and only plain steps are inside.",
    severity: "warning",
    fix: "unsafe",
    source: "promptpack, compositions",
    *check({ pack }) {
      for (const composition of namedCompositions(pack))
        for (const step of composition.allSteps)
          if (step.parent === undefined) yield* namesInside(step, composition, pack.document);
          // Steps inside a nested parallel step are not reported again.
          else if (step.parent.parent === undefined) yield* faultsInside(step, step.parent, composition);
    },
  },
  "unknown-reducer": {
    summary:
      "The `strategy` of a `parallel` step is `append`, `barrier` or `replace`, or a vendor's, with a dot.",
    severity: "warning",
    fix: "unsafe",
    source: "RFC 0010, reducers",
    *check({ pack }) {
      for (const { id, reduce } of clearSteps(pack))
        if (reduce?.strategy.text.includes(".") === false)
          yield* checkChoice(pack.document, reduce.strategy, ["append", "barrier", "replace"], {
            owner: `Step "${id.text}"`,
            what: "reducer",
          });
    },
  },
  "termination-tool": {
    summary: "The tool whose call ends an `agent` step is one that the step can call.",
    severity: "warning",
    fix: "unsafe",
    source: "RFC 0010, agent steps",
    *check({ pack }) {
      const guess = createGuesser();
      for (const step of clearSteps(pack)) {
        const tool = step.termination?.toolCalled;
        const list = tool && listWithout(tool, step, pack);
        if (tool === undefined || list === undefined) continue;
        const [limit, id] = [step.termination?.maxSteps, step.id.text];
        const fact = limit === undefined ? `Step "${id}" never ends` : `Only "max_steps" ends step "${id}"`;
        const message = `${fact}: it waits for a call of "${tool.text}", which it cannot call.`;
        const add = `Add it to the "tools" of ${list.owner}.`;
        const advice = nameAdvice(tool.text, textsOf(list.tools), guess);
        const fix = advice && nearestNameFix(pack.document, tool, textsOf(list.tools));
        yield { at: tool, message, advice: advice ?? add, ...fix };
      }
    },
  },
  "step-tool-not-in-prompt": {
    summary: "An `agent` step lists only tools that its prompt lists.",
    severity: "warning",
    source: "RFC 0010, agent steps",
    *check({ pack: { prompts, toolUse, skills } }) {
      if (mayGrantTools(skills)) return;
      for (const { step, name, isUnknown } of toolUse.ofSteps) {
        if (step.kind !== "agent" || isUnknown) continue;
        const prompt = step.promptTask && prompts.get(step.promptTask.text);
        if (prompt === undefined || toolUse.mayList(prompt, name.text)) continue;
        const message = `Step "${step.id.text}" cannot call "${name.text}": its prompt "${prompt.key.text}" does not list this tool.`;
        yield { at: name, message, advice: 'Add it to the "tools" of the prompt, or remove it here.' };
      }
    },
  },
  "tool-step-args": {
    summary: "The arguments of a `tool` step fit the parameters of its tool.",
    severity: "error",
    fix: "unsafe",
    source: "RFC 0010, tool steps",
    *check({ pack }) {
      const guess = createGuesser();
      for (const step of clearSteps(pack)) {
        const tool = step.tool && pack.toolUse.toolNamed(step.tool.text);
        if (tool?.parameters === undefined || tool.isUnclear) continue;
        for (const fault of argumentFaults(step.args, tool.parameters, guess))
          yield findingOf(fault, step, tool.key.text, pack.document);
      }
    },
  },
  "unknown-step-field": {
    summary: "A step has only the fields of its kind.",
    severity: "warning",
    fix: "unsafe",
    source: "RFC 0010, steps",
    *check({ pack }) {
      const guess = createGuesser();
      for (const { id, kind, node, isClear } of clearSteps(pack)) {
        if (kind === "vendor") continue;
        for (const { key } of node.entries) {
          const kinds = kindsWithField(key.text);
          // Extensions are never judged (RFC 0016).
          if (kinds === undefined || kinds.includes(kind) || key.text === "extensions") continue;
          const absent = fieldsOfStep(kind).filter((field) => node.get(field) === undefined);
          // The schema reports a misspelt field that is required.
          const required = absent.filter((field) => !isClear(field));
          if (guess(key.text, required) !== undefined) continue;
          const message = `Step "${id.text}" is ${kind === "agent" ? "an" : "a"} ${kind} step, which has no field "${key.text}".`;
          const owners = kinds.length === 0 ? undefined : `Only ${joinWords(kinds, "and")} steps have it.`;
          const advice = nameAdvice(key.text, absent, guess);
          const fix = advice && nearestNameFix(pack.document, key, absent);
          yield { at: key, message, advice: advice ?? owners, ...fix };
        }
      }
    },
  },
});

function outputFault({ text }: LocatedString, { key, stepNamed }: Composition): Words | undefined {
  const step = stepNamed(text);
  const names = `The output of composition "${key.text}" is "${text}",`;
  if (step === undefined) return { message: `${names} which is not a step.` };
  if (step.parent !== undefined) {
    const message = `${names} which is inside the parallel step "${step.parent.id.text}".`;
    return { message, advice: "Name the parallel step." };
  }
  if (step.kind !== "branch") return undefined;
  return { message: `${names} which is a branch and has no output.`, advice: "Name a step that has one." };
}

/** Lazily: only the first thousands of names are compared. */
function* idsOf(steps: readonly Step[], isWanted: (step: Step) => boolean): Iterable<string> {
  for (const step of steps) if (isWanted(step)) yield step.id.text;
}

/** The steps that a branch leads to or a step depends on, and a sentence about each: `Branch "a" leads to "b"`. */
function* stepsNamedBy({ id, then, otherwise, dependsOn }: Step) {
  for (const name of [then, otherwise, ...dependsOn]) {
    if (name === undefined) continue;
    const isTarget = name === then || name === otherwise;
    const subject = isTarget ? `Branch "${id.text}" leads to` : `Step "${id.text}" depends on`;
    yield { name, isTarget, subject, text: `${subject} "${name.text}"` };
  }
}

function* namesInside(
  step: Step,
  { stepNamed, isRepeated }: Composition,
  document: Document,
): Iterable<Finding> {
  for (const { name, text } of stepsNamedBy(step)) {
    const parent = isRepeated(name.text) ? undefined : stepNamed(name.text)?.parent;
    if (parent === undefined) continue;
    const message = `${text}, which is inside the parallel step "${parent.id.text}".`;
    const fix = replaceNameFix(document, name, parent.id.text);
    yield { at: name, message, advice: `Name "${parent.id.text}".`, ...fix };
  }
}

function* faultsInside(step: Step, parent: Step, { stepNamed }: Composition): Iterable<Finding> {
  const { id, kind, kindAt, dependsOn } = step;
  const where = `inside the parallel step "${parent.id.text}"`;
  if (kind === "branch" || kind === "parallel") {
    const message = `Step "${id.text}" is a ${kind} step ${where}, which the reference runtime cannot run.`;
    yield { at: kindAt, message };
    return;
  }
  // unknown-step reports the others.
  const first = dependsOn.find(({ text }) => stepNamed(text) !== undefined);
  if (first === undefined) return;
  const message = `"depends_on" has no effect on step "${id.text}": it is ${where}, whose steps all run.`;
  yield { at: first, message, advice: `Move it to "${parent.id.text}", or remove it.` };
}

/** The list that would have to name a tool and does not; undefined if the step may be able to call it. */
function listWithout(tool: LocatedString, step: Step, pack: Pack) {
  const { prompts, toolUse, skills } = pack;
  const { tools } = step;
  if (tools !== undefined) {
    // A misspelt name may be this one; step-tool-not-in-prompt reports what the prompt lacks.
    const mayBe = ({ text }: LocatedString) => toolUse.isSame(text, tool.text) || toolUse.isUnknown(text);
    return tools.some(mayBe) ? undefined : { owner: "the step", tools };
  }
  const prompt = step.promptTask && prompts.get(step.promptTask.text);
  if (prompt === undefined || toolUse.mayList(prompt, tool.text)) return undefined;
  if (mayGrantTools(skills) && !toolUse.isUnknown(tool.text)) return undefined;
  return { owner: `prompt "${prompt.key.text}"`, tools: prompt.tools };
}

/** Lazily: only the first thousands of names are compared. */
function* textsOf(names: readonly LocatedString[]): Iterable<string> {
  for (const { text } of names) yield text;
}

function findingOf(fault: ArgumentFault, { id, at, args }: Step, tool: string, document: Document): Finding {
  const step = `Step "${id.text}"`;
  switch (fault.kind) {
    case "missing": {
      const [first = ""] = fault.names;
      const others = args?.entries.map(({ key }) => key.text) ?? [];
      const message = `${step} calls "${tool}" without ${listNames(fault.names)}, which it requires.`;
      const advice = misspelledAsAdvice(first, others);
      const near = args?.entry(uniqueNearestName(first, others) ?? "");
      const finding = { at: args ? placeOf(args) : at, message, advice };
      // Only if nothing else is missing would the finding be gone.
      if (near === undefined || fault.names.length > 1) return finding;
      return withRenameFix(document, { ...finding, replacement: first, replaced: near.key });
    }
    case "unknown": {
      const { key, near, replacement } = fault;
      const message = `${step} passes "${key.text}" to "${tool}", which has no such parameter.`;
      return withRenameFix(document, {
        at: key,
        message,
        advice: near && suggestName(key.text, near),
        replacement,
      });
    }
    case "type": {
      const { key, value, expected } = fault;
      const found = describeFound(value, document.text);
      const message = `${step} passes ${found} as "${key.text}" to "${tool}", which takes ${expected}.`;
      return { at: placeOf(value), message };
    }
  }
}
