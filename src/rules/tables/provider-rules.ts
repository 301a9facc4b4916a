import type { Step } from "../../composition/composition.js";
import { childrenOf, LocatedString, type Node } from "../../document/node.js";
import { defaultProvider } from "../../pack/agents.js";
import { clearSteps, type Pack } from "../../pack/pack.js";
import { isOlderThan } from "../../schema/spec-version.js";
import { rulesOf } from "../rule.js";
import { createCorrector, repeatedNames } from "../shared/name-corrections.js";

export const providerRules = rulesOf("pack", {
  "duplicate-provider": {
    summary: "The providers that a pack requires have different keys.",
    severity: "error",
    since: "1.5.1",
    section: "requires",
    source: "RFC 0012, provider requirements",
    *check({ pack: { providers } }) {
      yield* repeatedNames(
        providers.required.map(({ at, key }) => ({ at, name: key.text })),
        (key) => `The pack requires another provider with the key "${key}".`,
        "Give each its own key, or remove one.",
      );
    },
  },
  "unknown-provider": {
    summary: "Every provider that a prompt or a step names is `default` or required by the pack.",
    severity: "error",
    since: "1.9.0",
    fix: "unsafe",
    source: "RFC 0017, rule 1",
    *check({ pack }) {
      const { document, providers } = pack;
      if (!providers.hasAll) return;
      const names = new Set([...providers.required.map(({ key }) => key.text), defaultProvider]);
      const correct = createCorrector(document);
      for (const { owner, key } of providerUses(pack)) {
        if (names.has(key.text)) continue;
        yield {
          at: key,
          wants: "a provider",
          message: `${owner} names the provider "${key.text}", which the pack does not require.`,
          advice: 'Add it to "requires.providers".',
          ...correct(key, () => names),
        };
      }
    },
  },
  "optional-provider": {
    summary: "A provider that a prompt or a step runs on is not optional.",
    severity: "warning",
    since: "1.9.0",
    section: "requires",
    source: "RFC 0017, rule 4",
    *check({ pack }) {
      for (const { owner, key } of providerUses(pack)) {
        const provider = pack.providers.named(key.text);
        if (provider?.isOptional !== true) continue;
        yield {
          at: key,
          message: `${owner} runs on the provider "${key.text}", which is optional: where it is missing, nothing takes its place.`,
          advice: "Make it required, or name another.",
          related: [{ at: provider.at, message: "required: false is here" }],
        };
      }
    },
  },
  "provider-role": {
    summary: "What writes text or calls tools runs on a provider with the role `llm`.",
    severity: "warning",
    since: "1.5.1",
    source: "RFC 0012, provider requirements; RFC 0017, rule 5",
    *check({ pack }) {
      const { providers, spec } = pack;
      const main = providers.named(defaultProvider);
      if (main?.role !== undefined && main.role !== "llm")
        yield {
          at: main.at,
          message: `The provider "${defaultProvider}" is the main language model, but has the role "${main.role}" here.`,
          advice: "Give it the role llm, or another key.",
        };
      if (isOlderThan(spec, "1.9.0")) return;
      for (const { owner, key, needsModel } of providerUses(pack)) {
        const provider = key.text === defaultProvider ? undefined : providers.named(key.text);
        if (needsModel === undefined || provider?.role === undefined || provider.role === "llm") continue;
        yield {
          at: key,
          message: `${owner} needs a language model, since ${needsModel.reason}, but its provider "${key.text}" has the role "${provider.role}".`,
          advice: `Name another provider${needsModel.lacksSchema ? ", or give the step an output_schema" : ""}.`,
          related: [{ at: provider.at, message: "the role is given here" }],
        };
      }
    },
  },
  "unused-provider": {
    summary: "Some prompt or step runs on each language model that the pack requires.",
    severity: "info",
    since: "1.9.0",
    section: "requires",
    source: "promptpack, providers",
    *check({ pack }) {
      const { required, named, hasAll } = pack.providers;
      const unused = required.filter(({ key, role }) => role === "llm" && key.text !== defaultProvider);
      if (unused.length === 0 || !allProviderUsesKnown(pack)) return;
      const used = new Set(providerUses(pack).map(({ key }) => key.text));
      // A name of no provider may be a misspelling of any.
      if (hasAll && [...used].some((key) => key !== defaultProvider && named(key) === undefined)) return;
      const mentioned = new Set(namesInSettings(pack));
      for (const provider of unused) {
        const { at, key } = provider;
        // duplicate-provider reports the second of a key.
        if (used.has(key.text) || mentioned.has(key.text) || named(key.text) !== provider) continue;
        yield {
          at,
          message: `No prompt or step runs on the provider "${key.text}".`,
          advice: 'Name it as a "provider", or remove it.',
        };
      }
    },
  },
});

/** The prompts and steps that name the provider they run on (RFC 0017); `needsModel`: only a language model can serve it. */
function providerUses(pack: Pack) {
  const needs = needsByPrompt(pack);
  const ofPrompts = pack.clearPrompts.map(({ key: { text }, provider: key }) => ({
    owner: `Prompt "${text}"`,
    key,
    needsModel: needs.get(text),
  }));
  const ofSteps = clearSteps(pack).map((step) => ({
    owner: `Step "${step.id.text}"`,
    key: step.provider,
    needsModel: needOf(step, "it"),
  }));
  return [...ofPrompts, ...ofSteps].flatMap(({ key, ...use }) => (key === undefined ? [] : { ...use, key }));
}

/** By the name of a prompt, the first state or step that runs it on its own provider and needs a language model. */
function needsByPrompt(pack: Pack) {
  const needs = new Map<string | undefined, ModelNeed>();
  for (const step of clearSteps(pack).toReversed()) {
    const need = needOf(step, `step "${step.id.text}" runs it and`);
    if (step.provider === undefined && need !== undefined) needs.set(step.promptTask?.text, need);
  }
  for (const { name, prompt } of (pack.workflow?.clearStates ?? []).toReversed())
    needs.set(prompt?.key.text, {
      reason: `state "${name.text}" runs it as a conversation`,
      lacksSchema: false,
    });
  return needs;
}

/** Why a language model is needed, after "since", and whether an `output_schema` would do. */
interface ModelNeed {
  readonly reason: string;
  readonly lacksSchema: boolean;
}

/** A prompt step with an `output_schema` can run on any provider that answers the schema. */
function needOf({ kind, outputSchema, isClear }: Step, subject: string): ModelNeed | undefined {
  if (kind === "agent") return { reason: `${subject} calls tools in a loop`, lacksSchema: false };
  if (kind !== "prompt" || outputSchema !== undefined || !isClear("output_schema")) return undefined;
  return { reason: `${subject} has no output_schema`, lacksSchema: true };
}

function allProviderUsesKnown({ prompts, hasAllPrompts, compositions, hasAllCompositions, steps }: Pack) {
  return (
    hasAllPrompts &&
    hasAllCompositions &&
    [...prompts.values(), ...steps].every(({ isClear }) => isClear("provider")) &&
    [...compositions.values()].every(({ hasAllSteps }) => hasAllSteps)
  );
}

/** The settings of evals, validators, middleware and steps of vendors, which may name a provider in their own way. */
function* namesInSettings({ root, prompts, steps }: Pack): Iterable<string> {
  const settings = [
    root.get("evals"),
    ...[...prompts.values()].flatMap(({ node }) =>
      ["evals", "validators", "pipeline"].map((name) => node?.get(name)),
    ),
    ...steps.filter(({ kind }) => kind === "vendor").map(({ node }) => node),
  ];
  const open: Node[] = settings.flatMap((node) => node ?? []);
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const text = LocatedString.of(node);
    if (text !== undefined) yield text.text;
    for (const child of childrenOf(node)) open.push(child);
  }
}
