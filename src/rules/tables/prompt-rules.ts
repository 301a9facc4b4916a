import type { Finding, Place } from "../../diagnostic.js";
import type { Key, LocatedString, Node, ScalarNode } from "../../document/node.js";
import { removeEntry } from "../../document/edit.js";
import { evalScopes, hasUnknownPromptReference, type Pack } from "../../pack/pack.js";
import { createMentionSearch, unlistedTools } from "../../pack/mentions.js";
import type { Prompt } from "../../pack/prompt.js";
import { mayGrantTools } from "../../pack/skills.js";
import type { ToolUse } from "../../pack/tool-use.js";
import { isEmptyRange } from "../../pack/variable.js";
import { patternError } from "../../pattern/pattern-error.js";
import { allRuntimes } from "../../runtimes/index.js";
import { titlesOf } from "../../runtimes/runtime.js";
import { contradictions } from "../../schema/json-schema-contradictions.js";
import { knownKeywords } from "../../schema/json-schema-keywords.js";
import { nearSuggestion, type Suggestion } from "../../schema/describe-node.js";
import { jsonSchemaFindings } from "../../schema/json-schema.js";
import { getOrCreate } from "../../text/collections.js";
import { createGuesser, isUniqueTypo, nameAdvice, suggestName, uniqueNearestName } from "../../text/names.js";
import { capitalize, listNames } from "../../text/wording.js";
import { rulesOf } from "../rule.js";
import { checkChoice, nearestNameFix, replaceNameFix, unsafeFix, withRenameFix } from "../shared/fixes.js";
import { listPrompts, repeatedNames } from "../shared/name-corrections.js";
import { findSecrets } from "../../text/secrets.js";

export const promptRules = rulesOf("pack", {
  "unknown-tool": {
    summary: "Every tool that a prompt lists is a tool of the pack, an agent member, or the runtime's own.",
    severity: "warning",
    fix: "unsafe",
    source: "RFC 0001, tools; RFC 0007, delegation",
    *check({ pack, target: { runtimes } }) {
      const { document, tools, agents, toolUse } = pack;
      const readsStars = runtimes.some(({ facts }) => facts.toolNames.value === "trailing star");
      const names = [...tools.keys(), ...agents.members.map(({ name }) => name.text)];
      const guess = createGuesser();
      const mentions = createMentionSearch(pack);
      const lists = new Map<Prompt, Set<string>>();
      for (const { prompt, name, kind } of toolUse.listed) {
        if (kind !== "unknown" || (readsStars && toolUse.isMatched(name.text))) continue;
        const near = guess(name.text, names);
        const isMentioned = (text: string): boolean =>
          ["exact", "other case"].includes(mentions(prompt, text) ?? "");
        const list = getOrCreate(lists, prompt, () => new Set(prompt.tools.map(({ text }) => text)));
        yield {
          at: name,
          wants: "a tool",
          message: `Prompt "${prompt.key.text}" lists the tool "${name.text}", which is not in "tools".`,
          advice: near === undefined ? defineAdvice(name.text) : nameAdvice(name.text, [near]),
          ...(near !== undefined &&
            // A fix must not leave the old name behind in the text of the prompt.
            (!isMentioned(name.text) || isMentioned(near)) &&
            addIfAbsent(list, uniqueNearestName(name.text, names)) &&
            nearestNameFix(document, name, names)),
        };
      }
    },
  },
  "unused-tool": {
    summary: "Every tool is listed by some prompt, or named by a step.",
    severity: "info",
    source: "RFC 0001, tools",
    defersTo: ["tool-not-listed"],
    *check({ pack, isOn }) {
      const { tools, toolUse, skills, compositions } = pack;
      // An unknown name, or that of a prompt which is not a member, may be a misspelled tool.
      const dangles =
        toolUse.listed.some(({ kind }) => kind === "unknown" || kind === "prompt") ||
        toolUse.ofSteps.some(({ isUnknown }) => isUnknown);
      if (dangles || toolUse.unclear || mayGrantTools(skills) || hasUnknownPromptReference(pack)) return;
      const reported = new Set(isOn("tool-not-listed") ? unlistedTools(pack).map(({ tool }) => tool) : []);
      for (const tool of tools.values()) {
        if (tool.isUnclear || toolUse.isUsed(tool) || reported.has(tool)) continue;
        const which = toolUse.isBlocked(tool) ? "a prompt that does not block it" : "a prompt";
        yield {
          at: tool.key,
          message: `No prompt${compositions.size > 0 ? " or step" : ""} lists the tool "${tool.key.text}".`,
          advice: `Add it to the "tools" of ${which}, or remove it.`,
        };
      }
    },
  },
  "tool-not-listed": {
    summary: "A prompt lists the tools that its text names.",
    severity: "warning",
    source: "RFC 0001, tools",
    *check({ pack }) {
      for (const { tool, source, start, end, prompts } of unlistedTools(pack)) {
        const [names, lists] =
          prompts.length === 1 ? ["names", "does not list it"] : ["name", "do not list it"];
        yield {
          at: source.placeOf({ start, end }),
          message: `${capitalize(listPrompts(prompts))} ${names} the tool "${tool.key.text}", but ${lists}.`,
          advice: `Add it to "tools": the model can only call the tools that its prompt lists.`,
        };
      }
    },
  },
  "tool-name-differs": {
    summary: "The `name` of a tool is its key.",
    severity: "warning",
    source: "RFC 0001, tools",
    *check({ pack: { tools } }) {
      for (const { key, name, isUnclear } of tools.values()) {
        if (isUnclear || name === undefined || name.text === key.text) continue;
        const other = tools.has(name.text) ? ", which is the key of another tool" : "";
        yield {
          at: name,
          message: `Tool "${key.text}" has the name "${name.text}"${other}.`,
          advice: "Make them the same: some runtimes go by the key, others by the name.",
          related: userOf(name, key),
        };
      }
    },
  },
  "tool-parameters": {
    summary:
      "The parameters of a tool are a valid JSON Schema, and declare every property that they require.",
    severity: "error",
    fix: "unsafe",
    source: "RFC 0001, tools",
    *check({ pack: { tools, document } }) {
      const options = { source: document.text, patternFault: patternError, guess: createGuesser() };
      for (const { key, parameters, isUnclear } of tools.values()) {
        if (parameters === undefined || isUnclear) continue;
        for (const { message, ...finding } of jsonSchemaFindings(parameters, options))
          yield withRenameFix(document, { ...finding, message: `In tool "${key.text}", ${message}` });
      }
    },
  },
  "tool-schema-impossible": {
    summary: "The parameters of a tool do not contradict themselves, and have no misspelt keyword.",
    severity: "warning",
    fix: "unsafe",
    source: "promptpack, tools",
    defersTo: ["schema", "tool-parameters"],
    *check({ pack: { tools, document }, isOn }) {
      const corrections = new Map<string, Suggestion>();
      // No genuine file has this many names that are not keywords.
      const suggest = (name: string) => (corrections.size < 2_000 ? nearSuggestion(name, knownKeywords) : {});
      const correct = (name: string) => getOrCreate(corrections, name, () => suggest(name));
      const options = { source: document.text, isOn, correct };
      for (const { key, parameters, isUnclear } of tools.values()) {
        if (parameters === undefined || isUnclear) continue;
        for (const { message, ...finding } of contradictions(parameters, options))
          yield withRenameFix(document, { ...finding, message: `In tool "${key.text}", ${message}` });
      }
    },
  },
  "duplicate-prompt-tool": {
    summary: "No prompt lists a tool twice.",
    severity: "warning",
    source: "promptpack, tools",
    *check({ pack: { clearPrompts, toolUse } }) {
      for (const { key, tools } of clearPrompts) {
        // A tool has two names: its key and its `name`.
        const listed = tools.map((at) => ({ at, name: toolUse.toolNamed(at.text)?.key.text ?? at.text }));
        const messageFor = (tool: string) => `Prompt "${key.text}" lists the tool "${tool}" twice.`;
        yield* repeatedNames(listed, messageFor, "Remove one of them.");
      }
    },
  },
  "tool-policy": {
    summary: "A tool policy agrees with the tools that its prompt lists, and blocks none that is misspelt.",
    severity: "warning",
    fix: "unsafe",
    source: "RFC 0001, tool policy",
    *check({ pack: { clearPrompts, prompts, document, toolUse, tools } }) {
      const toolNames = [...tools.values()].flatMap(({ key, name }) => [key.text, name?.text ?? key.text]);
      const guess = createGuesser();
      for (const prompt of clearPrompts) {
        const { key, tools, toolPolicy: policy } = prompt;
        if (policy === undefined) continue;
        if (policy.toolChoice?.text === "required" && tools.length === 0 && prompt.isClear("tools")) {
          const message = `Prompt "${key.text}" requires a tool call, but lists no tools.`;
          yield { at: policy.at, message, advice: 'Add "tools", or set "tool_choice" to "auto".' };
        }
        const names = new Set(policy.blocklist.map(({ text }) => text));
        for (const name of policy.blocklist) {
          // An agent is blocked by the name of its prompt, and a host may have other tools.
          if (!toolUse.isUnknown(name.text) || prompts.has(name.text) || name.text.endsWith("*")) continue;
          const near = guess(name.text, toolNames);
          if (near === undefined || !isUniqueTypo(name.text, near, toolNames)) continue;
          yield {
            at: policy.at,
            message: `Prompt "${key.text}" blocks "${name.text}", which is not in "tools".`,
            advice: suggestName(name.text, near),
            related: [{ at: name, message: "blocked here" }],
            ...(addIfAbsent(names, near) && replaceNameFix(document, name, near)),
          };
        }
        const blocked = listedAndBlocked(prompt, toolUse);
        if (blocked.length === 0) continue;
        const them = blocked.length === 1 ? "it" : "them";
        const message = `Prompt "${key.text}" both lists and blocks ${listNames(blocked)}: the blocklist wins.`;
        yield { at: policy.at, message, advice: `Remove ${them} from "tools" or "blocklist".` };
      }
    },
  },
  "secret-in-pack": {
    summary: "No text of the pack holds an access key or a private key.",
    severity: "warning",
    source: "promptpack, secrets",
    *check({ pack: { root, document } }) {
      for (const { node, text } of stringsIn(root))
        for (const { kind, start, end, maskFrom } of findSecrets(text)) {
          if (parametersOfValidator.test(node.pointer)) continue;
          yield {
            at: document.placeWithin(node, start, end),
            message: `The pack holds ${kind}, "${text.slice(maskFrom, maskFrom + 4)}****".`,
            advice: "Revoke it, and let the runtime supply a new one: everyone with the pack can read it.",
          };
        }
    },
  },
  "prompt-id-differs": {
    summary: "The `id` of a prompt is its key.",
    severity: "warning",
    source: "RFC 0001, prompts",
    *check({ pack: { prompts, clearPrompts } }) {
      const taken = new Set(prompts.keys());
      for (const { key, id } of clearPrompts) {
        if (id === undefined || id.text === key.text) continue;
        const other = prompts.has(id.text) ? ", which is the key of another prompt" : "";
        yield {
          at: id,
          message: `Prompt "${key.text}" has the id "${id.text}"${other}.`,
          advice: `States and agents refer to a prompt by its key: ${sameNameAdvice(id.text, key.text, taken)}.`,
          related: userOf(id, key),
        };
        taken.add(id.text);
      }
    },
  },
  "deprecated-field": {
    summary: "No validator has `fail_on_violation`, which is deprecated.",
    severity: "warning",
    fix: "unsafe",
    since: "1.7.0",
    source: "RFC 0015, validators",
    *check({ pack: { clearPrompts, document } }) {
      const obeying = titlesOf(allRuntimes.filter(({ facts }) => facts.failOnViolation.value === "obeyed"));
      for (const { node, failOnViolation } of clearPrompts.flatMap(({ validators }) => validators)) {
        const at = node.entry(deprecatedField)?.key;
        if (failOnViolation === undefined || at === undefined) continue;
        const problem = failOnViolation.value ? "is deprecated, and" : "is false, but";
        const message = `"${deprecatedField}" ${problem} only ${obeying} still obey it: elsewhere, a validator always enforces.`;
        if (failOnViolation.value) {
          const edits = removeEntry(document, node, deprecatedField);
          yield { at, message, advice: "Remove it.", ...unsafeFix(`Remove ${deprecatedField}.`, edits) };
        } else yield { at, message, advice: "To only observe, replace the validator with an eval." };
      }
    },
  },
  "duplicate-eval": {
    summary: "The evals of the pack, and those of each prompt, have different ids.",
    severity: "error",
    source: "RFC 0006, evals",
    *check({ pack }) {
      for (const { owner, evals } of evalScopes(pack)) {
        // The schema reports an empty id.
        const named = evals.flatMap(({ at, id }) =>
          id === undefined || id.text === "" ? [] : { at, name: id.text },
        );
        yield* repeatedNames(named, (id) => `${owner} has another eval with the id "${id}".`);
      }
    },
  },
  "eval-trigger": {
    summary:
      "The trigger of an eval is one that the spec defines, and samples if a `sample_percentage` is set.",
    severity: "warning",
    fix: "unsafe",
    source: "RFC 0006, triggers",
    *check({ pack }) {
      for (const { id, trigger, samplePercentage } of allEvals(pack)) {
        if (trigger === undefined || samplingTriggers.includes(trigger.text)) continue;
        const owner = id === undefined ? "An eval" : `Eval "${id.text}"`;
        const sampled = samplingAlternatives.get(trigger.text);
        if (sampled === undefined) {
          const remedy = `The known triggers are ${listNames(knownTriggers)}.`;
          yield* checkChoice(pack.document, trigger, knownTriggers, { owner, what: "trigger", remedy });
        } else if (samplePercentage !== undefined) {
          const message = `${owner} has a "sample_percentage", but its trigger "${trigger.text}" does not sample.`;
          const instead = sampled === "" ? "Remove" : `Use "${sampled}", or remove`;
          yield { at: trigger, message, advice: `${instead} "sample_percentage".` };
        }
      }
    },
  },
  "eval-metric": {
    summary: "The `min` of a metric's range is not above its `max`.",
    severity: "error",
    source: "RFC 0006, metrics",
    *check({ pack }) {
      for (const { id, range } of allEvals(pack)) {
        if (range === undefined || !isEmptyRange(range.min, range.max)) continue;
        const { at, min, max } = range;
        const whose = id === undefined ? "an eval" : `eval "${id.text}"`;
        const message = `The metric of ${whose} ranges from ${min} to ${max}: its "min" is above its "max".`;
        yield { at, wants: "a range", message };
      }
    },
  },
  "metric-conflict": {
    summary: "The evals that give a metric agree about its type and its range.",
    severity: "warning",
    source: "RFC 0006, metrics",
    *check({ pack }) {
      // By field and metric.
      const firsts = new Map<string, { value: unknown; at: Place; whose: string }>();
      for (const { id, mayBeDisabled, metric, range } of allEvals(pack)) {
        if (metric?.name === undefined || mayBeDisabled) continue;
        const { at, name, type } = metric;
        const whose = id === undefined ? "an eval without an id" : `eval "${id.text}"`;
        const conflicts: Finding[] = [];
        for (const [field, value] of Object.entries({ type: type?.text, min: range?.min, max: range?.max })) {
          if (value === undefined) continue;
          const first = getOrCreate(firsts, `${field} ${name.text}`, () => ({ value, at, whose }));
          if (first.value === value) continue;
          const message = `Metric "${name.text}" has the "${field}" ${JSON.stringify(value)} in ${whose}, but ${JSON.stringify(first.value)} in ${first.whose}.`;
          const related = [{ at: first.at, message: "the other one" }];
          conflicts.push({ at, message, advice: "Make them agree, or give each its own metric.", related });
        }
        yield* conflicts.slice(0, 1);
      }
    },
  },
});

/** They may show what to look for. */
const parametersOfValidator = /^\/prompts\/[^/]*\/validators\/\d+\/params(?:\/|$)/;

/** The strings of a tree where they are written: an alias only repeats one. */
function* stringsIn(root: Node): Generator<{ readonly node: ScalarNode; readonly text: string }> {
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.origin !== undefined) continue;
    if (node.kind === "mapping") for (const { value } of node.entries) open.push(value);
    else if (node.kind === "sequence") for (const item of node.items) open.push(item);
    else if (typeof node.value === "string") yield { node, text: node.value };
  }
}

/** A name above the tool or prompt that has it comes from an alias or a merge key. */
function userOf(name: LocatedString, key: Key) {
  return name.start < key.start ? [{ at: key, message: `used by "${key.text}" here` }] : [];
}

/** A text of several words is hardly a name. */
function defineAdvice(name: string): string | undefined {
  return /\s/.test(name) ? undefined : "Define it there, or remove it from the list.";
}

function addIfAbsent(list: Set<string>, name: string | undefined): boolean {
  if (name === undefined || list.has(name)) return false;
  list.add(name);
  return true;
}

/** The tools that are listed and blocked, each once. A tool has two names: its key and its `name`. */
function listedAndBlocked({ tools, toolPolicy: policy }: Prompt, { toolNamed }: ToolUse): readonly string[] {
  const keyOf = (name: string) => toolNamed(name)?.key.text ?? name;
  const blocked = new Set(policy?.blocklist.map(({ text }) => keyOf(text)));
  const names = new Map(tools.map(({ text }) => [keyOf(text), text]));
  return [...names].flatMap(([tool, name]) => (blocked.has(tool) ? [name] : []));
}

function sameNameAdvice(id: string, key: string, taken: ReadonlySet<string>): string {
  if (/^[a-z][a-z0-9_-]*$/.test(key)) return "make the id and the key the same";
  return taken.has(id) ? "give both one name that is valid as an id" : `rename the key to "${id}"`;
}

function allEvals(pack: Pack) {
  return [...evalScopes(pack)].flatMap(({ evals }) => evals);
}

const deprecatedField = "fail_on_violation";

const samplingTriggers = ["sample_turns", "sample_sessions"];

/** The triggers that do not sample, each with its sampling counterpart, if it has one. */
const samplingAlternatives: ReadonlyMap<string, string> = new Map([
  ["every_turn", "sample_turns"],
  ["on_session_complete", "sample_sessions"],
  ["on_conversation_complete", "sample_sessions"],
  ["on_workflow_step", ""],
]);

const knownTriggers = [...samplingAlternatives.keys(), ...samplingTriggers];
