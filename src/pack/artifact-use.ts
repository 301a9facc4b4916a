import type { Reference } from "../template/read-template.js";
import { appendTo, getOrCreate } from "../text/collections.js";
import { createGuesser } from "../text/names.js";
import type { ArtifactRead, ArtifactReader, ArtifactUse, Declaration } from "./artifacts.js";
import type { Pack } from "./pack.js";
import type { Prompt } from "./prompt.js";
import type { State } from "./workflow.js";

/** Of states and the prompts that their compositions run: many states can share one that runs many prompts. */
const maxComposedPairs = 100_000;

export function analyzeArtifactUse(pack: Pack): ArtifactUse {
  const states = pack.workflow?.states ?? [];
  const declared = new Map<string, Declaration[]>();
  const running = new Map<Prompt, State[]>();
  let pairsLeft = maxComposedPairs;
  for (const state of states) {
    for (const artifact of state.artifacts) appendTo(declared, artifact.name.text, { state, artifact });
    if (state.composition !== undefined && (pairsLeft -= state.prompts.length) < 0) continue;
    for (const prompt of state.prompts) appendTo(running, prompt, state);
  }
  const reads = collectReads(pack, running);
  const dangling = reads.filter(({ name, certain }) => certain && !declared.has(name));
  const read = collectReadNames(pack);
  return {
    declared,
    allStatePromptsKnown:
      states.length > 0 &&
      pairsLeft >= 0 &&
      states.every(({ hasAllPrompts, isUnclear }) => hasAllPrompts && !isUnclear),
    hasAllDeclarations: pack.workflow?.hasClearStates === true,
    reads,
    promptsWithUndeclaredReads: new Set(
      dangling.flatMap(({ readers }) => readers.map(({ prompt }) => prompt)),
    ),
    likelyMisspellings: read.readsWholeNamespace ? new Map() : likelyMisspellings(declared, read.readNames),
    ...read,
  };
}

/** The certain reads of some readers, one for each place: aliases of a text are several reads there. */
export function readsOfReaders(
  { reads }: ArtifactUse,
  isMeant: (reader: ArtifactReader) => boolean,
): Iterable<ArtifactRead> {
  const byPlace = new Map<string, ArtifactRead>();
  for (const read of reads) {
    const [first, ...others] = read.certain ? read.readers.filter(isMeant) : [];
    if (first === undefined) continue;
    const { source, reference } = read.reading;
    const place = `${source.sourceStart}:${reference.start}`;
    const known = byPlace.get(place) ?? { ...read, readers: undefined };
    byPlace.set(place, {
      ...known,
      readers: [...(known.readers ?? []), first, ...others] as [ArtifactReader],
    });
  }
  return byPlace.values();
}

/** The declared artifacts that each prompt of a state reads, in file order; prompts that read the same share the set. */
export function readsByState({ reads, declared }: ArtifactUse) {
  const namesOf = new Map<ArtifactReader, string[]>();
  for (const { name, readers, certain } of reads) {
    if (certain && declared.has(name)) for (const reader of readers) appendTo(namesOf, reader, name);
  }
  const sets = new Map<string, ReadonlySet<string>>();
  return [...namesOf]
    .flatMap(([{ prompt, states }, list]) => {
      const names = getOrCreate(sets, list.join(), () => new Set(list));
      return states.map((state) => ({ state, prompt, names }));
    })
    .sort((a, b) => a.state.index - b.state.index);
}

/** A state, and artifacts that its prompt reads but that only other states declare. */
export interface LackingState {
  readonly state: State;
  readonly missing: readonly string[];
}

/** Bounds the output: many states can share a prompt that reads many artifacts. */
const maxNamesPerState = 100;
const maxNamesPerPack = 10_000;

/** The states that lack artifacts, by the prompt they run, in file order. `isComplete`: no name was left out. */
export function statesLackingArtifacts(artifacts: ArtifactUse) {
  const byPrompt = new Map<Prompt, [LackingState, ...LackingState[]]>();
  const cut = new Set<Prompt>();
  let budget = maxNamesPerPack;
  const known = new Map<State, Set<string>>();
  for (const { state, prompt, names } of readsByState(artifacts)) {
    if (state.isUnclear) continue;
    const own = getOrCreate(known, state, () => new Set(state.artifacts.map(({ name }) => name.text)));
    const most = budget > 0 ? maxNamesPerState : 1;
    const missing: string[] = [];
    for (const name of names) if (!own.has(name) && missing.push(name) === most) break;
    budget -= missing.length;
    if (missing.length === 0) continue;
    if (missing.length === most) cut.add(prompt);
    appendTo(byPrompt, prompt, { state, missing });
    // Another prompt of its composition may read the same.
    for (const name of missing) own.add(name);
  }
  return [...byPrompt].map(([prompt, lacking]) => ({ prompt, lacking, isComplete: !cut.has(prompt) }));
}

function collectReads(
  { clearPrompts, readings }: Pack,
  running: ReadonlyMap<Prompt, State[]>,
): readonly ArtifactRead[] {
  const reads = new Map<Reference, ArtifactRead & { readonly readers: ArtifactReader[] }>();
  for (const prompt of clearPrompts) {
    // Its templates read the variable of that name.
    if (prompt.declared.has("artifacts")) continue;
    const reader = { prompt, states: running.get(prompt) ?? [] };
    for (const reading of readings.of(prompt)) {
      const { reference } = reading;
      const { kind, name, local } = reference;
      if (kind !== "artifact") continue;
      const known = reads.get(reference);
      if (known === undefined)
        reads.set(reference, { name, reading, certain: local !== true, readers: [reader] });
      else if (known.readers.at(-1) !== reader) known.readers.push(reader);
    }
  }
  return [...reads.values()];
}

function collectReadNames({ templates }: Pack): Pick<ArtifactUse, "readNames" | "readsWholeNamespace"> {
  const names = new Set<string>();
  let readsWholeNamespace = false;
  for (const { text } of templates.all) {
    for (const { kind, name } of text.template.references) {
      if (kind === "artifact") names.add(name);
      else if (kind === "name" && name === "artifacts") readsWholeNamespace = true;
    }
  }
  return { readNames: names, readsWholeNamespace };
}

function likelyMisspellings(
  declared: ReadonlyMap<string, readonly Declaration[]>,
  readNames: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const guess = createGuesser();
  const known = new Set([...readNames].filter((name) => declared.has(name)));
  for (const [name, declarations] of declared) {
    const near = readNames.has(name) ? undefined : guess(name, known);
    if (near === undefined) continue;
    const others = new Set(declared.get(near)?.map(({ state }) => state));
    if (!declarations.some(({ state }) => others.has(state))) found.set(name, near);
  }
  return found;
}
