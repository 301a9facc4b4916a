import type { Finding, Place } from "../../diagnostic.js";
import { addEntries } from "../../document/edit.js";
import {
  type Entry,
  LocatedString,
  locatedStringsOf,
  type MappingNode,
  type Node,
  numberOf,
  placeOf,
  stringOf,
} from "../../document/node.js";
import { evalScopes, type Pack } from "../../pack/pack.js";
import { mayGrantTools } from "../../pack/skills.js";
import { patternError } from "../../pattern/pattern-error.js";
import { unsupportedByRe2 } from "../../pattern/re2.js";
import { allRuntimes, type Target } from "../../runtimes/index.js";
import { type CheckParameter, type CheckTypes, inEach, type Runtime } from "../../runtimes/runtime.js";
import { appendTo, cached, getOrCreate, lazy } from "../../text/collections.js";
import { capitalize, listChoices } from "../../text/wording.js";
import { rulesOf } from "../rule.js";
import { replaceNameFix, unsafeFix, type WithFix } from "../shared/fixes.js";
import { createCorrector } from "../shared/name-corrections.js";

export const checkRules = rulesOf("pack", {
  "guardrail-off": {
    summary: "Every validator says whether it is enabled.",
    severity: "warning",
    fix: "unsafe",
    source: "promptpack, runtimes",
    *check({ pack: { clearPrompts, document }, target: { runtimes } }) {
      // The compiler of sources writes it.
      if (runtimes.length === 0 || document.otherNames !== undefined) return;
      const follows = inEach(runtimes, ({ facts }) => facts.enabledByDefault.value);
      for (const { key, validators } of clearPrompts)
        for (const { at, node, type, lacksEnabled } of validators) {
          if (!lacksEnabled) continue;
          const name = type === undefined ? "a validator" : `validator "${type.text}"`;
          yield {
            at,
            message: `In prompt "${key.text}", ${name} has no "enabled": ${follows}.`,
            advice: 'Set "enabled" to true.',
            ...unsafeFix(
              "Enable the validator.",
              addEntries(document, node, [{ name: "enabled", value: true }]),
            ),
          };
        }
    },
  },
  "unknown-validator-type": {
    summary: "The runtimes know the type of every validator.",
    severity: "warning",
    fix: "unsafe",
    source: "promptpack, runtimes",
    *check({ pack, target }) {
      yield* unknownTypes(pack, target, "validator");
    },
  },
  "unknown-eval-type": {
    summary: "The runtimes know the type of every eval.",
    severity: "warning",
    fix: "unsafe",
    source: "promptpack, runtimes",
    *check({ pack, target }) {
      yield* unknownTypes(pack, target, "eval");
    },
  },
  "check-params": {
    summary: "Validators and evals have the parameters that they cannot do without.",
    severity: "warning",
    source: "promptpack, runtimes",
    *check({ pack, target: { runtimes } }) {
      for (const kind of checkKinds)
        for (const check of enabledChecks(pack, kind)) {
          if (!check.hasAllParams) continue;
          const byPlace = new Map<number, Fault[]>();
          for (const runtime of runtimes) {
            const fault = faultIn(check, kind, runtime);
            if (fault !== undefined) appendTo(byPlace, fault.at.start, fault);
          }
          for (const faults of byPlace.values()) yield* faultFindings(check, faults);
        }
    },
  },
  "eval-unknown-name": {
    summary: "The states, tools, agents, skills and steps that evals name exist.",
    severity: "warning",
    fix: "unsafe",
    source: "promptpack, runtimes",
    *check({ pack, target: { runtimes } }) {
      const correct = createCorrector(pack.document);
      const known = new Map<NameKind, KnownNames | undefined>();
      for (const { name: checkName, type, params } of enabledChecks(pack, "eval")) {
        const parameter = runtimes
          .map(({ facts }) => facts.evalParameters?.value.get(type.text))
          .find((each) => each?.namesOf !== undefined);
        const kind = parameter?.namesOf;
        const value = parameter && usableEntry(parameter, params)?.value;
        const all = kind && getOrCreate(known, kind, () => knownNames(pack, kind));
        if (all === undefined) continue;
        const isNegative = parameter?.isNegative === true;
        for (const name of [LocatedString.of(value) ?? locatedStringsOf(value)].flat()) {
          if (!all.isUnknown(name.text) || isFilledIn(name.text)) continue;
          const correction = correct(name, () => all.names);
          const message = `${capitalize(checkName)} names the ${kind} "${name.text}", which the pack does not have, so`;
          const follows = isNegative ? "this part of it can never fail" : "it can never pass";
          yield {
            at: name,
            wants: "a name that exists",
            message: `${message} ${follows}.`,
            ...correction,
          };
        }
      }
    },
  },
});

const checkKinds = ["validator", "eval"] as const;
type CheckKind = (typeof checkKinds)[number];

/** A validator or an eval that is not disabled. */
interface Check {
  readonly at: Place;
  /** `eval "polite"` */
  readonly name: string;
  readonly type: LocatedString;
  readonly params: MappingNode | undefined;
  readonly hasAllParams: boolean;
}

function* enabledChecks(pack: Pack, kind: CheckKind): Iterable<Check> {
  if (kind === "validator") {
    for (const { key, validators } of pack.clearPrompts)
      for (const { type, isEnabled, ...rest } of validators)
        if (type !== undefined && isEnabled)
          yield { ...rest, type, name: `validator "${type.text}" of prompt "${key.text}"` };
    return;
  }
  for (const { evals } of evalScopes(pack))
    for (const { id, type, isEnabled, ...rest } of evals)
      if (type !== undefined && isEnabled)
        yield { ...rest, type, name: id === undefined ? "an eval" : `eval "${id.text}"` };
}

function* unknownTypes(pack: Pack, target: Target, kind: CheckKind): Iterable<Finding> {
  const isEval = kind === "eval";
  const own = isEval ? target.evalTypes : target.validatorTypes;
  const all = new Map<Runtime, CheckTypes>();
  for (const runtime of target.runtimes) {
    const types = (isEval ? runtime.facts.evalTypes : runtime.facts.validatorTypes)?.value;
    if (types !== undefined) all.set(runtime, types);
  }
  const isKnownToAll = (name: string) => [...all.values()].every(({ known }) => known.has(name));
  const choices = lazy(() => {
    const names = [...all.values()].flatMap(({ known }) => [...known]);
    return [...own, ...new Set(names.filter(isKnownToAll))];
  });
  const correct = createCorrector(pack.document);
  for (const { name, type } of enabledChecks(pack, kind)) {
    const lacking = [...all].filter(([, { known }]) => !known.has(type.text) && !own.has(type.text));
    if (lacking.length === 0) continue;
    const runtimes = lacking.map(([runtime]) => runtime);
    const what = isEval ? `the unknown type "${type.text}"` : "an unknown type";
    const follows = inEach(runtimes, (runtime) => all.get(runtime)?.unknown ?? "");
    yield {
      at: type,
      wants: "a known type",
      message: `${capitalize(name)} has ${what}: ${follows}.`,
      advice: `If it is your own, add it to "${kind}Types" in the config.`,
      ...correct(type, choices),
      ...ownName(pack, type, lacking, isKnownToAll),
    };
  }
}

/** Suggests the names that runtimes have for a type that they do not know by this one. */
function ownName(
  { document }: Pack,
  type: LocatedString,
  lacking: readonly (readonly [Runtime, CheckTypes])[],
  isKnownToAll: (name: string) => boolean,
): WithFix & Pick<Finding, "advice"> {
  const named = new Map(
    lacking.flatMap(([runtime, { ownNames }]) => {
      const name = ownNames.get(type.text);
      return name === undefined ? [] : [[runtime, name] as const];
    }),
  );
  const [name, ...others] = new Set(named.values());
  if (name === undefined) return {};
  return {
    advice: `${capitalize(inEach(named.keys(), (runtime) => `it is "${named.get(runtime) ?? ""}"`))}.`,
    ...(others.length === 0 && isKnownToAll(name) && replaceNameFix(document, type, name)),
  };
}

/** Why a runtime has no use for the parameters of a check. */
interface Fault {
  readonly at: Place;
  readonly runtime: Runtime;
  readonly follows: string;
  /** The parameters that it reads. */
  readonly reads: readonly string[];
  /** The parameter at this place, and the predicate of a sentence about it; absent if there is none. */
  readonly found?: { readonly name: string; readonly problem: string };
}

const notRead = "is not read";

function faultIn({ at, type, params }: Check, kind: CheckKind, runtime: Runtime): Fault | undefined {
  const { uselessCheck, validatorParameters, evalParameters } = runtime.facts;
  const isEval = kind === "eval";
  const parameter = (isEval ? evalParameters : validatorParameters)?.value.get(type.text);
  const follows = isEval ? parameter?.without : uselessCheck.value;
  if (parameter === undefined || follows === undefined || usableEntry(parameter, params)) return undefined;
  const fault = { runtime, follows, reads: parameter.names };
  const [written] = entriesOf(parameter, params);
  if (written !== undefined) {
    const found = { name: written.key.text, problem: faultOf(parameter, written.value) ?? notRead };
    return { ...fault, at: placeOf(written.value), found };
  }
  const others = otherNames(parameter);
  const other = params?.entries.find(({ key }) => others.has(key.text) || others.has(rootOf(key.text)))?.key;
  if (other === undefined) return { ...fault, at };
  return { ...fault, at: other, found: { name: other.text, problem: notRead } };
}

function* faultFindings({ name }: Check, faults: readonly Fault[]): Iterable<Finding> {
  const [first] = faults;
  if (first === undefined) return;
  const { at, found } = first;
  const reads = listChoices([...new Set(faults.flatMap((fault) => fault.reads))]);
  const clauses = new Map(faults.map(({ runtime, follows }) => [runtime, follows]));
  const follows = inEach(clauses.keys(), (runtime) => clauses.get(runtime) ?? "");
  if (found === undefined) yield { at, message: `${capitalize(name)} has no ${reads}: ${follows}.` };
  else {
    const message = `The "${found.name}" of ${name} ${found.problem}: ${follows}.`;
    yield { at, message, ...(found.problem === notRead && { advice: `Write ${reads}.` }) };
  }
}

/** Names by which somebody may call this parameter: those of a similar one, and roots of its own. */
const otherNames = cached(({ names, namesOf, is }: CheckParameter): ReadonlySet<string> => {
  const tables = allRuntimes.map(({ facts }) => (facts.evalParameters ?? facts.validatorParameters).value);
  const similar = tables
    .flatMap((table) => [...table.values()])
    .filter((other) => other.namesOf === namesOf && shapes[other.is] === shapes[is]);
  return new Set([...similar.flatMap((other) => other.names), ...names.map(rootOf), namesOf ?? ""]);
});

const shapes: Readonly<Record<CheckParameter["is"], string>> = {
  list: "list",
  texts: "list",
  "positive number": "number",
  pattern: "pattern",
  "RE2 pattern": "pattern",
  text: "text",
};

/** `tool` of `tool_name`, `tool_names` and `tools`. */
function rootOf(name: string): string {
  return name.replace(/_names?$/, "").replace(/s$/, "");
}

function entriesOf({ names }: CheckParameter, params: MappingNode | undefined): readonly Entry[] {
  return names.flatMap((name) => params?.entry(name) ?? []);
}

/** The one that is read: the first that can be used. */
function usableEntry(parameter: CheckParameter, params: MappingNode | undefined): Entry | undefined {
  return entriesOf(parameter, params).find(({ value }) => faultOf(parameter, value) === undefined);
}

/** Why a parameter cannot be used, as the predicate of a sentence. */
function faultOf({ is }: CheckParameter, value: Node): string | undefined {
  const text = stringOf(value);
  if (text !== undefined && isFilledIn(text)) return undefined;
  if (text === "" || (value.kind === "sequence" && value.items.length === 0)) return "is empty";
  switch (is) {
    case "positive number":
      return (numberOf(value) ?? 0) >= 1 ? undefined : "is not a positive number";
    case "texts":
    case "list":
      if (locatedStringsOf(value).length > 0 || (is === "texts" && text !== undefined)) return undefined;
      return "is not a list of texts";
    case "RE2 pattern":
      return text === undefined ? "is not a text" : faultInRe2(text);
    default:
      return text === undefined ? "is not a text" : undefined;
  }
}

function faultInRe2(pattern: string): string | undefined {
  const unsupported = unsupportedByRe2(pattern);
  if (unsupported !== undefined) return `uses ${unsupported}, which RE2 cannot run`;
  const error = patternError(pattern);
  if (error === undefined) return undefined;
  return `is not a regular expression${error === "" ? "" : ` (${error})`}`;
}

/** Whether the text has a placeholder, whose value is not known here. */
function isFilledIn(text: string): boolean {
  return text.includes("{{");
}

type NameKind = NonNullable<CheckParameter["namesOf"]>;

interface KnownNames {
  readonly names: readonly string[];
  readonly isUnknown: (name: string) => boolean;
}

/** Undefined while the pack may have others. */
function knownNames(pack: Pack, kind: NameKind): KnownNames | undefined {
  const { workflow, hasWorkflow, tools, toolUse, agents, skills, steps, compositions } = pack;
  const members = agents.members.map(({ name }) => name.text);
  const knows = (names: readonly string[]): KnownNames => {
    const all = new Set(names);
    return { names, isUnknown: (name) => !all.has(name) };
  };
  switch (kind) {
    case "state":
      if (workflow === undefined) return hasWorkflow ? undefined : knows([]);
      return { names: [...workflow.stateNames()], isUnknown: workflow.isUnknownState };
    case "tool": {
      if (!agents.hasAllMembers) return undefined;
      const callable = new Set(members);
      const isUnknown = (name: string) => !callable.has(name) && toolUse.isUnknown(name);
      return { names: [...tools.keys(), ...members], isUnknown };
    }
    case "agent": {
      // Without members, those of the host may be called.
      if (!agents.hasAllMembers || members.length === 0) return undefined;
      const { isUnknown } = knows(members);
      const isTool = (name: string) => toolUse.toolNamed(name) !== undefined || toolUse.isRuntimeTool(name);
      return { names: members, isUnknown: (name) => isUnknown(name) && !isTool(name) };
    }
    case "skill":
      // The host may add some, and a folder holds some.
      if (!skills.isWritten || mayGrantTools(skills)) return undefined;
      return knows(skills.sources.flatMap((source) => (source.kind === "inline" ? source.name.text : [])));
    case "step":
      if (!pack.hasAllCompositions || ![...compositions.values()].every(({ hasAllSteps }) => hasAllSteps))
        return undefined;
      return knows(steps.map(({ id }) => id.text));
  }
}
