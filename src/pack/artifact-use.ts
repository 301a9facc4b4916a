import type { Reference } from "../template/read-template.js";
import { appendTo, getOrCreate } from "../text/collections.js";
import { createGuesser } from "../text/names.js";
import type { PackParts } from "./pack-parts.js";
import type { Fragment, Prompt, Reading } from "./prompt.js";
import type { Readings, TemplateUse } from "./template-use.js";
import type { Artifact, State } from "./workflow.js";

export interface Declaration {
  readonly state: State;
  readonly artifact: Artifact;
}

/** One place in a template that reads an artifact: in a fragment it is one mistake, however many prompts include it. */
export interface ArtifactRead {
  readonly name: string;
  readonly reading: Reading;
  /** False if it may be a local name of the template. */
  readonly certain: boolean;
  readonly readers: readonly [ArtifactReader, ...ArtifactReader[]];
}

/** A prompt that reads artifacts, and the states that run it. All its reads share it. */
export interface ArtifactReader {
  readonly prompt: Prompt;
  readonly states: readonly State[];
}

/** Pairs of a state and a prompt of its composition: many states can share one that runs many prompts. */
const maxComposedPairs = 100_000;

/** The declarations and reads of artifacts. Their names are one namespace for the whole workflow (RFC 0009). */
export type ArtifactUse = Readonly<ReturnType<typeof analyzeArtifactUse>>;

export function analyzeArtifactUse(
  { workflow, clearPrompts }: PackParts,
  readings: Readings,
  templates: TemplateUse,
) {
  const states = workflow?.states ?? [];
  const declared = new Map<string, Declaration[]>();
  const running = new Map<Prompt, State[]>();
  let pairsLeft = maxComposedPairs;
  for (const state of states) {
    for (const artifact of state.artifacts) appendTo(declared, artifact.name.text, { state, artifact });
    if (state.composition !== undefined && (pairsLeft -= state.prompts.length) < 0) continue;
    for (const prompt of state.prompts) appendTo(running, prompt, state);
  }
  const reads = collectReads(clearPrompts, readings, running);
  const dangling = reads.filter(({ name, certain }) => certain && !declared.has(name));
  const references = templates.all.flatMap(({ text }) => text.template.references);
  const readNames = new Set(references.filter(({ kind }) => kind === "artifact").map(({ name }) => name));
  const readsWholeNamespace = references.some(({ kind, name }) => kind === "name" && name === "artifacts");
  return {
    declared,
    allStatePromptsKnown:
      pairsLeft >= 0 &&
      workflow?.areClear("prompt_task", "orchestration", "composition") === true &&
      states.every(({ hasAllPrompts }) => hasAllPrompts),
    /** False while the artifacts of a state are unclear: it may declare any. */
    hasAllDeclarations:
      workflow?.areClear() === true && states.every(({ hasAllArtifacts }) => hasAllArtifacts),
    /** Every `{{artifacts.x}}` that prompts read, fragments included. */
    reads,
    promptsWithUndeclaredReads: new Set(
      dangling.flatMap(({ readers }) => readers.map(({ prompt }) => prompt)),
    ),
    /** Names read by any template, including fragments that nothing includes. */
    readNames,
    /** Whether some template reads them all at once, as `{{#each artifacts}}` does. */
    readsWholeNamespace,
    /** By a declared name that no template reads: a similar name that is read and that other states declare. */
    likelyMisspellings: readsWholeNamespace
      ? new Map<string, string>()
      : likelyMisspellings(declared, readNames),
  };
}

/** The certain reads of some readers, one for each place: aliases of a text are several reads there. */
export function readsOfReaders({ reads }: ArtifactUse, isMeant: (reader: ArtifactReader) => boolean) {
  const byPlace = new Map<string, ArtifactRead>();
  for (const read of reads) {
    if (!read.certain) continue;
    const { source, reference } = read.reading;
    const place = `${source.sourceStart}:${reference.start}`;
    const known = byPlace.get(place);
    const [first, ...others] = [...(known?.readers ?? []), ...read.readers.filter(isMeant)];
    if (first !== undefined) byPlace.set(place, { ...(known ?? read), readers: [first, ...others] });
  }
  return byPlace.values();
}

/** What a prompt reads: the names of artifacts, each with the fragment that reads it unless the prompt does so itself. */
export type ArtifactNames = ReadonlyMap<string, Fragment | undefined>;

/** The declared artifacts that each prompt of a state reads, in file order; prompts that read the same share the map. */
export function readsByState({ reads, declared }: ArtifactUse) {
  const namesOf = new Map<ArtifactReader, Map<string, Fragment | undefined>>();
  for (const { name, reading, readers, certain } of reads) {
    if (!certain || !declared.has(name)) continue;
    for (const reader of readers) {
      const names = getOrCreate(namesOf, reader, () => new Map());
      if (reading.fragment === undefined || !names.has(name)) names.set(name, reading.fragment);
    }
  }
  const shared = new Map<string, ArtifactNames>();
  return [...namesOf]
    .flatMap(([{ prompt, states }, found]) => {
      const key = JSON.stringify([...found].map(([name, fragment]) => [name, fragment?.name.text]));
      const names = getOrCreate(shared, key, () => found);
      return states.map((state) => ({ state, prompt, names }));
    })
    .sort((a, b) => a.state.index - b.state.index);
}

/** A state, and artifacts that its prompts read but that only other states declare. */
export interface LackingState {
  readonly state: State;
  readonly prompts: readonly Prompt[];
  readonly missing: ArtifactNames;
  /** Whether no name was left out. */
  readonly isComplete: boolean;
}

/** Bounds the output: many states can share a prompt that reads many artifacts. */
const maxNamesPerState = 100;
const maxNamesPerPack = 10_000;

/** The states that lack artifacts, in file order. */
export function statesLackingArtifacts(artifacts: ArtifactUse): readonly LackingState[] {
  const found = new Map<State, ReturnType<typeof nothingLacking>>();
  const cut = new Set<State>();
  let budget = maxNamesPerPack;
  for (const { state, prompt, names } of readsByState(artifacts)) {
    if (!state.hasAllArtifacts) continue;
    const { own, prompts, missing } = getOrCreate(found, state, () => nothingLacking(state));
    const most = budget > 0 ? maxNamesPerState : 1;
    for (const [name, fragment] of names) {
      if (own.has(name)) continue;
      prompts.add(prompt);
      if (missing.has(name)) continue;
      missing.set(name, fragment);
      budget--;
      if (missing.size < most) continue;
      cut.add(state);
      break;
    }
  }
  return [...found]
    .filter(([, { missing }]) => missing.size > 0)
    .map(([state, { prompts, missing }]) => {
      return { state, prompts: [...prompts], missing, isComplete: !cut.has(state) };
    });
}

function nothingLacking({ artifacts }: State) {
  return {
    own: new Set(artifacts.map(({ name }) => name.text)),
    prompts: new Set<Prompt>(),
    missing: new Map<string, Fragment | undefined>(),
  };
}

function collectReads(
  clearPrompts: readonly Prompt[],
  readings: Readings,
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

const mimeToken = "[A-Za-z0-9!#$&^_.+-]+";
const mimeType = new RegExp(
  `^${mimeToken}/${mimeToken}(?:[ \\t]*;[ \\t]*${mimeToken}=(?:${mimeToken}|"[^"]*"))*$`,
);
const mimeWildcard = /^(?:\*\/\*|[A-Za-z0-9!#$&^_.+-]+\/\*)$/;

/** `text/plain`, `application/json; charset=utf-8`. */
export function isMimeType(text: string): boolean {
  return text.length <= 255 && mimeType.test(text);
}

/** A MIME type, or a range of them such as `image/*`. */
export function isMimeRange(text: string): boolean {
  return isMimeType(text) || mimeWildcard.test(text);
}
