import type { Finding, Place } from "../../diagnostic.js";
import { unsetReads } from "../../machine/artifact-flow.js";
import type { Facts } from "../../machine/facts.js";
import { SetValues } from "../../machine/set-values.js";
import type { Way } from "../../machine/ways-in.js";
import {
  type ArtifactNames,
  type ArtifactRead,
  type ArtifactUse,
  type Declaration,
  isMimeType,
  type LackingState,
  readsByState,
  readsOfReaders,
  statesLackingArtifacts,
} from "../../pack/artifact-use.js";
import { hasUnknownPromptReference, hasUnknownStateReference, type Pack } from "../../pack/pack.js";
import { type Fragment, type Prompt, referencedNames } from "../../pack/prompt.js";
import type { Variable } from "../../pack/variable.js";
import type { Artifact, State } from "../../pack/workflow.js";
import { titlesOf } from "../../runtimes/runtime.js";
import { isOlderThan } from "../../schema/spec-version.js";
import type { Syntax } from "../../template/read-template.js";
import { appendTo } from "../../text/collections.js";
import { suggestName } from "../../text/names.js";
import { listNames, listNamesOf } from "../../text/wording.js";
import { type Rule, rulesOf, type WorkflowContext } from "../rule.js";
import { declareArtifactsFix } from "../shared/fixes.js";
import {
  createReferenceSuggester,
  listPrompts,
  namesKnownTo,
  noNames,
  throughFragment,
} from "../shared/name-corrections.js";

export const artifactRules: readonly Rule[] = [
  ...rulesOf("pack", {
    "undeclared-artifact": {
      summary: "Every artifact that a prompt in the workflow reads is declared by a state.",
      severity: "warning",
      fix: "unsafe",
      source: "RFC 0009, rule 4",
      *check({ pack }) {
        const { artifacts } = pack;
        if (!artifacts.hasAllDeclarations) return;
        const isOlder = isOlderThan(pack.spec, "1.4.0");
        const suggest = createReferenceSuggester(pack);
        for (const read of readsOfReaders(artifacts, ({ states }) => states.length > 0)) {
          const { name, reading, readers } = read;
          if (artifacts.declared.has(name)) continue;
          const suggestion = suggest(reading, namesKnownTo(readers[0].prompt, pack));
          yield {
            ...placeOfRead(read),
            message: `No state declares the artifact "${name}", which ${listReaders(read)}.`,
            ...(suggestion ?? {
              advice: isOlder ? "From spec 1.4 on, a state can declare it." : declareAdvice(readers),
            }),
          };
        }
      },
    },
    "artifact-not-in-state": {
      summary: "A state declares the artifacts that its prompt reads.",
      severity: "warning",
      fix: "unsafe",
      source: "RFC 0009, rule 4",
      *check({ pack: { document, artifacts } }) {
        for (const lacking of statesLackingArtifacts(artifacts)) {
          const { state, missing, isComplete } = lacking;
          const names = [...missing.keys()];
          const text = missingText(lacking);
          const also = `"${state.name.text}" lacks ${text}`;
          const misspelling = misspellingAdvice(lacking, artifacts);
          const cost = `Runtimes that go by declarations leave ${names.length === 1 ? "it" : "them"} empty there.`;
          yield {
            at: state.name,
            message: `State "${state.name.text}" does not declare the ${names.length === 1 ? "artifact" : "artifacts"} ${text}.`,
            advice:
              misspelling === undefined ? cost : names.length === 1 ? misspelling : `${cost} ${misspelling}`,
            related: names.flatMap((name) => {
              const declared = artifacts.declared.get(name)?.[0];
              if (declared === undefined) return [];
              const message = `"${name}" is declared by state "${declared.state.name.text}"`;
              return [{ at: declared.artifact.name, message }];
            }),
            data: { artifacts: names },
            ...(misspelling === undefined && isComplete && declareArtifactsFix(document, lacking, artifacts)),
            group: {
              name: "",
              also: misspelling === undefined ? also : `${also}. ${misspelling}`,
              fixAll: "Declare in each state the artifacts that it reads.",
            },
          };
        }
      },
    },
  }),
  ...rulesOf("graph", {
    "artifact-never-set": {
      summary: "Every artifact that a state reads can be set before it is read.",
      severity: "warning",
      source: "RFC 0009, artifact lifecycle",
      *check({ workflow, facts, pack: { artifacts } }) {
        for (const { read, readers, declarations } of unsetReads(workflow, facts, artifacts)) {
          yield {
            ...placeOfRead(read),
            message: `The artifact "${read.name}" is always empty here: ${neverSetReason(declarations, readers)}.`,
            advice: "Set it in an earlier state, or remove the reference.",
            related: declarations.slice(0, 3).map(({ state, artifact }) => ({
              at: artifact.name,
              message: `"${state.name.text}" declares it`,
            })),
          };
        }
      },
    },
  }),
  ...rulesOf("graph", {
    "reading-unset": {
      summary: "What a prompt reads is set in every run that gets there.",
      severity: "info",
      source: "promptpack, runtimes",
      // A fix of the first three may turn a misspelt reference into one that it reports.
      defersTo: ["undeclared-variable", "unknown-fragment", "undeclared-artifact", "artifact-never-set"],
      *check(context) {
        const { target, entriesIn, workflow } = context;
        const runtimes = target.runtimes.filter(
          (runtime) => runtime.facts.leftover.value === "all unfilled" && entriesIn(runtime) !== undefined,
        );
        const [facts] = runtimes.flatMap((runtime) => entriesIn(runtime) ?? []);
        if (facts === undefined) return;
        const values = new SetValues(workflow, facts);
        const then = `then ${runtimes.length === 1 ? "sends" : "send"} the whole prompt unfilled`;
        for (const [prompt, found] of unsetReadings(context, facts, values)) {
          const [first, ...others] = found;
          if (first === undefined) continue;
          const what = `the ${first.kind} "${first.name}"`;
          yield {
            at: first.at,
            message:
              first.kind === "artifact"
                ? `Prompt "${prompt.key.text}" can run before ${what} is set, and ${titlesOf(runtimes)} ${then}.`
                : `A caller may leave out ${what}, which is optional, and ${titlesOf(runtimes)} ${then}.`,
            advice:
              first.kind === "artifact"
                ? "Set it in a state that every run enters before, or read it in a prompt that runs later."
                : "Give it a default.",
            related: others.map(({ at, kind, name }) => ({
              at,
              message: `the ${kind} "${name}" may be unset here, too`,
            })),
            trace: first.way.run(),
          };
        }
      },
    },
  }),
  ...rulesOf("pack", {
    "artifact-outside-workflow": {
      summary: "Only prompts that a state runs read artifacts.",
      severity: "warning",
      fix: "unsafe",
      source: "RFC 0009, artifact lifecycle",
      *check({ pack }) {
        const { artifacts, workflow, hasWorkflow } = pack;
        const outside = [...readsOfReaders(artifacts, ({ states }) => states.length === 0)];
        if (outside.length === 0) return;
        // A state whose prompt is unknown, or that is missing itself, may run this prompt.
        if (hasWorkflow && !artifacts.allStatePromptsKnown) return;
        if (workflow !== undefined && hasUnknownStateReference(pack, workflow)) return;
        const suggest = createReferenceSuggester(pack);
        for (const read of outside) {
          const { name, reading, readers } = read;
          const isDeclared = hasWorkflow && (!artifacts.hasAllDeclarations || artifacts.declared.has(name));
          yield {
            ...placeOfRead(read),
            message: outsideMessage(read, hasWorkflow),
            // No artifact is ever filled in here, so only variables and fragments are suggested.
            ...(!isDeclared &&
              suggest(reading, { ...namesKnownTo(readers[0].prompt, pack), artifact: noNames })),
          };
        }
      },
    },
    "artifact-conflict": {
      summary: "States that declare the same artifact agree on its type and mode.",
      severity: "warning",
      source: "RFC 0009, artifact lifecycle",
      *check({ pack: { artifacts } }) {
        for (const [name, declarations] of artifacts.declared) {
          const [first, ...others] = declarations.flatMap(({ state, artifact }) => {
            const shape = artifact.isClear ? shapeOf(artifact) : undefined;
            return shape === undefined ? [] : [{ state: state.name.text, at: artifact.name, shape }];
          });
          if (first === undefined) continue;
          for (const { state, at, shape } of others) {
            if (shape.type === first.shape.type && shape.mode === first.shape.mode) continue;
            yield {
              at,
              message: `State "${state}" declares the artifact "${name}" with ${describeDifference(shape, first.shape, first.state)}.`,
              advice: "They share one artifact: make the two declarations agree.",
              related: [{ at: first.at, message: `"${first.state}" declares it here` }],
            };
          }
        }
      },
    },
  }),
  ...rulesOf("workflow", {
    "artifact-type": {
      summary: "The type of an artifact is a MIME type.",
      severity: "warning",
      source: "RFC 0009, ArtifactDef; workflow guide, checklist",
      *check({ workflow: { clearStates } }) {
        for (const { name, type } of clearStates.flatMap(({ artifacts }) => artifacts)) {
          if (type === undefined || isMimeType(type.text)) continue;
          yield {
            at: type,
            wants: "a MIME type",
            message: `The type of the artifact "${name.text}" is "${type.text}", which is not a MIME type such as "text/plain" or "application/json".`,
          };
        }
      },
    },
    "unused-artifact": {
      summary: "Every artifact is read by some template, or is the output of the workflow.",
      severity: "info",
      source: "RFC 0009, artifact lifecycle",
      defersTo: ["artifact-not-in-state"],
      *check({ facts, pack, isOn }) {
        const { artifacts, delimiters, root } = pack;
        if (delimiters === undefined || !artifacts.hasAllDeclarations) return;
        if (!allReadsKnown(pack) || hasUnknownPromptReference(pack)) return;
        // An artifact of a state that ends the run is the output of the workflow.
        const isOutput = ({ state }: Declaration) => facts.machine.states[state.index]?.ends === true;
        const unread = [...artifacts.declared].filter(
          ([name, declarations]) => !artifacts.readNames.has(name) && !declarations.some(isOutput),
        );
        if (unread.length === 0) return;
        // Evals and validators may name it too.
        const readElsewhere = referencedNames(root, delimiters, ["artifact"]);
        const isNear = unread.some(([name]) => artifacts.likelyMisspellings.has(name));
        const reads = new Map<State, ArtifactNames[]>();
        for (const { state, names } of isNear ? readsByState(artifacts) : []) appendTo(reads, state, names);
        for (const [name, declarations] of unread) {
          if (readElsewhere.has(name)) continue;
          const near = artifacts.likelyMisspellings.get(name);
          // artifact-not-in-state reports it for a state that declares this one and reads the near one.
          const isReported = ({ state }: Declaration) =>
            near !== undefined && reads.get(state)?.some((names) => names.has(near)) === true;
          if (isOn("artifact-not-in-state") && declarations.some(isReported)) continue;
          const advice =
            near === undefined
              ? unusedAdvice(name, declarations, delimiters, facts)
              : suggestName(name, near);
          for (const { state, artifact } of declarations) {
            if (artifact.node === undefined) continue;
            yield {
              at: artifact.name,
              message: `No template reads the artifact "${name}".`,
              advice,
              group: { name, also: `"${state.name.text}" declares it too` },
            };
          }
        }
      },
    },
  }),
];

/** A block that tests an artifact and reads it is one finding. */
function placeOfRead({ reading: { source, reference } }: ArtifactRead): Pick<Finding, "at" | "group"> {
  const { start, testedAt = start } = reference;
  const group = { name: `${source.sourceStart}:${testedAt}`, also: "the block reads it here, too" };
  return { at: source.placeOf(reference), group };
}

/** Both the state that sets an artifact and those that read it declare it. */
function declareAdvice([{ states }, ...others]: ArtifactRead["readers"]): string {
  const reader = states.length === 1 && others.length === 0 ? states[0] : undefined;
  const readers = reader === undefined ? "every state that reads it" : `"${reader.name.text}"`;
  return `Declare it in an earlier state that sets it, and in ${readers}.`;
}

/** `"plan" and "log", which its prompt "review" reads, "log" through the fragment "context"`. */
function missingText({ state, prompts, missing }: LackingState): string {
  const byFragment = new Map<Fragment | undefined, string[]>();
  for (const [name, fragment] of missing) appendTo(byFragment, fragment, name);
  const through = [...byFragment].map(([fragment, names]) => {
    const words = throughFragment({ fragment });
    return byFragment.size === 1 || fragment === undefined ? words : `, ${listNames(names)}${words}`;
  });
  const reader = state.runsComposition
    ? `the ${listPrompts(prompts)} of its composition`
    : `its ${listPrompts(prompts)}`;
  const reads = prompts.length === 1 ? "reads" : "read";
  return `${listNames([...missing.keys()])}, which ${reader} ${reads}${through.join("")}`;
}

/** The state may declare a missing artifact under a misspelt name that no template reads. */
function misspellingAdvice(
  { state, missing }: LackingState,
  { likelyMisspellings }: ArtifactUse,
): string | undefined {
  const pairs = state.artifacts.map(({ name: { text } }) => [likelyMisspellings.get(text) ?? "", text]);
  const found = pairs.find(([near = ""]) => missing.has(near));
  return found && `Did you misspell "${found[0]}" as "${found[1]}"?`;
}

function neverSetReason(declarations: readonly Declaration[], readers: readonly State[]): string {
  const [setter, ...others] = declarations;
  const reading = `${listNamesOf(readers, ({ name }) => name.text)} ${readers.length === 1 ? "reads" : "read"} it`;
  if (setter === undefined || others.length > 0) {
    const names = listNamesOf(declarations, ({ state }) => state.name.text);
    return `it is declared by ${names}, and no run leaves any of them before ${reading}`;
  }
  const name = setter.state.name.text;
  return readers.length === 1 && readers[0] === setter.state
    ? `only state "${name}" itself declares it, and no run enters "${name}" twice`
    : `only state "${name}" declares it, and no run leaves "${name}" before ${reading}`;
}

function outsideMessage(read: ArtifactRead, hasWorkflow: boolean): string {
  const artifact = `the artifact "${read.name}"`;
  if (!hasWorkflow) return `The pack has no workflow to fill in ${artifact}, which ${listReaders(read)}.`;
  const readers = read.readers.length === 1 ? "it reads" : "they read";
  return `No state runs ${readersOf(read)}, so ${artifact}, which ${readers}${throughFragment(read.reading)}, is never filled in.`;
}

type ArtifactShape = NonNullable<ReturnType<typeof shapeOf>>;

/** Undefined when artifact-type reports the type, or the schema its absence. */
function shapeOf({ type, mode }: Artifact) {
  if (type === undefined || !isMimeType(type.text)) return undefined;
  if (mode === undefined) return { type: type.text, mode: "replace", modeText: '"replace" (the default)' };
  return { type: type.text, mode: mode.text, modeText: `"${mode.text}"` };
}

function describeDifference(own: ArtifactShape, first: ArtifactShape, firstState: string): string {
  const parts = [
    ...(own.type === first.type ? [] : [["type", `"${own.type}"`, `"${first.type}"`]]),
    ...(own.mode === first.mode ? [] : [["mode", own.modeText, first.modeText]]),
  ];
  const different = parts.map(([field, text]) => `the ${field} ${text}`).join(" and ");
  return `${different}, but "${firstState}" declares it with ${parts.map(([, , text]) => text).join(" and ")}`;
}

function unusedAdvice(
  name: string,
  declarations: readonly Declaration[],
  { open, close }: Syntax,
  { reentered }: Facts,
): string {
  const path = `artifacts.${name}`;
  const again = declarations.some(({ state }) => reentered.has(state.index)) ? "on a later visit or " : "";
  return `Read it as ${open}${path}${close} ${again}in a later state that also declares it, or remove it.`;
}

/** Whatever is unclear might read the artifact. */
function allReadsKnown({ artifacts, fragments, hasAllFragments, prompts, templates }: Pack): boolean {
  if (prompts.size === 0 || !hasAllFragments || artifacts.readsWholeNamespace || !templates.allResolved)
    return false;
  if (!artifacts.reads.every(({ name }) => artifacts.declared.has(name))) return false;
  return [...fragments.values()].every(({ template }) => template !== undefined);
}

/** `the prompt "a" reads`, `the prompts "a" and "b" read through the fragment "c"`. */
function listReaders(read: ArtifactRead): string {
  return `${readersOf(read)} ${read.readers.length === 1 ? "reads" : "read"}${throughFragment(read.reading)}`;
}

function readersOf({ readers }: ArtifactRead): string {
  return `the ${listPrompts(readers.map(({ prompt }) => prompt))}`;
}

interface UnsetReading {
  readonly at: Place;
  readonly kind: "artifact" | "variable";
  readonly name: string;
  readonly way: Way;
}

/** Pairs of a state and a name that it reads: many states can share a prompt that reads many. */
const maxReadPairs = 5_000_000;
const noDeclarations: readonly Declaration[] = [];

/** The shortest run that opens a conversation in one of these states. */
function shortestOf(states: readonly State[], values: SetValues): Way | undefined {
  let best: Way | undefined;
  for (const state of states) {
    const way = state.runsComposition ? undefined : values.runThatOpens(state);
    if (way !== undefined && !(best !== undefined && best.steps <= way.steps)) best = way;
  }
  return best;
}

/** By prompt, what it reads that some run has not set: each name once, in the order of the text. */
function* unsetReadings(
  { workflow, pack, isOn }: WorkflowContext,
  facts: Facts,
  values: SetValues,
): Iterable<readonly [Prompt, readonly UnsetReading[]]> {
  const { artifacts, clearPrompts, delimiters } = pack;
  if (delimiters === undefined || !artifacts.hasAllDeclarations) return;
  const neverSet = new Set(
    isOn("artifact-never-set")
      ? [...unsetReads(workflow, facts, artifacts)].map(({ read }) => read.name)
      : [],
  );
  const isReported = (name: string): boolean =>
    neverSet.has(name) || (isOn("undeclared-artifact") && !artifacts.declared.has(name));
  let pairsLeft = maxReadPairs;
  const running = new Map<Prompt, State[]>();
  for (const state of workflow.states) for (const prompt of state.prompts) appendTo(running, prompt, state);
  for (const prompt of clearPrompts) {
    const states = running.get(prompt) ?? [];
    const { systemTemplate, declared } = prompt;
    if (states.length === 0 || systemTemplate === undefined) continue;
    const found = new Map<string, UnsetReading>();
    let opening: Way | undefined;
    for (const reference of systemTemplate.template.references) {
      const { kind, name, local, testedAt, opensBlock } = reference;
      const key = `${kind} ${name}`;
      if (local === true || testedAt !== undefined || opensBlock === true || found.has(key)) continue;
      if (kind === "artifact" && !declared.has("artifacts") && !isReported(name)) {
        if ((pairsLeft -= states.length) < 0) return;
        const way = values.runWithout(artifacts.declared.get(name) ?? noDeclarations, states);
        if (way !== undefined) found.set(key, { at: systemTemplate.placeOf(reference), kind, name, way });
      }
      const variable = kind === "name" ? declared.get(name) : undefined;
      if (variable === undefined || !isOptional(variable)) continue;
      const way = (opening ??= shortestOf(states, values));
      if (way !== undefined)
        found.set(key, { at: systemTemplate.placeOf(reference), kind: "variable", name, way });
    }
    yield [prompt, [...found.values()]];
  }
}

/** Whether nothing binds it if the caller does not. */
function isOptional({ node, required, default: value, isBound }: Variable): boolean {
  return required?.value === false && node.get("default") === undefined && value === undefined && !isBound;
}
