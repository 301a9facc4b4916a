import { addTo } from "../maps/add-to.js";
import { getOrMake } from "../maps/get-or-make.js";
import { guesser } from "../words/nearest-name.js";
import type { ArtifactRead, ArtifactUse, Declaration, SharedRead } from "./artifacts.js";
import type { Pack } from "./pack.js";
import type { Prompt } from "./prompt.js";
import type { State } from "./workflow.js";

export function artifactUse(pack: Pack): ArtifactUse {
  const states = pack.workflow?.states ?? [];
  const declared = new Map<string, Declaration[]>();
  const running = new Map<Prompt, State[]>();
  for (const state of states) {
    for (const artifact of state.artifacts) addTo(declared, artifact.name.text, { state, artifact });
    if (state.prompt !== undefined) addTo(running, state.prompt, state);
  }
  const reads = readsOf(pack, running);
  const dangling = reads.filter(({ name, certain }) => certain && !declared.has(name));
  const read = readNames(pack);
  return {
    declared,
    hasAllReaders: states.length > 0 && states.every(({ prompt, isUnclear }) => prompt && !isUnclear),
    hasAllDeclarations: pack.workflow?.isClear === true,
    reads,
    dangling: new Set(dangling.map(({ prompt }) => prompt)),
    meant: read.readsAll ? new Map() : meantNames(declared, read.readNames),
    ...read,
  };
}

/** One for each place: a fragment's reference is one mistake, however many prompts include it. */
export function byPlace(reads: Iterable<ArtifactRead>): Iterable<SharedRead> {
  const shared = new Map<string, [ArtifactRead, ...ArtifactRead[]]>();
  for (const read of reads) {
    const { source, reference } = read.reading;
    addTo(shared, `${source.origin}:${reference.start}`, read);
  }
  return shared.values();
}

/** For each state, in file order, the declared artifacts that its prompt reads; states of one prompt share a set. */
export function readsByState({
  reads,
  declared,
}: ArtifactUse): readonly (readonly [State, ReadonlySet<string>])[] {
  const byPrompt = new Map<readonly State[], Set<string>>();
  for (const { name, states, certain } of reads) {
    if (certain && declared.has(name)) getOrMake(byPrompt, states, () => new Set()).add(name);
  }
  return [...byPrompt]
    .flatMap(([states, names]) => states.map((state) => [state, names] as const))
    .sort(([a], [b]) => a.index - b.index);
}

function readsOf({ clearPrompts, readings }: Pack, running: ReadonlyMap<Prompt, State[]>): ArtifactRead[] {
  const reads: ArtifactRead[] = [];
  for (const prompt of clearPrompts) {
    // A variable of that name is what its templates read.
    if (prompt.declared.has("artifacts")) continue;
    const states = running.get(prompt) ?? [];
    for (const reading of readings.of(prompt)) {
      const { kind, name, local } = reading.reference;
      if (kind === "artifact") reads.push({ name, prompt, reading, certain: local !== true, states });
    }
  }
  return reads;
}

function readNames({ templates }: Pack): Pick<ArtifactUse, "readNames" | "readsAll"> {
  const names = new Set<string>();
  let readsAll = false;
  for (const { text } of templates.all) {
    for (const { kind, name } of text.template.references) {
      if (kind === "artifact") names.add(name);
      else if (kind === "name" && name === "artifacts") readsAll = true;
    }
  }
  return { readNames: names, readsAll };
}

function meantNames(
  declared: ReadonlyMap<string, readonly Declaration[]>,
  readNames: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const meant = new Map<string, string>();
  const guess = guesser();
  const known = new Set([...readNames].filter((name) => declared.has(name)));
  for (const [name, declarations] of declared) {
    const near = readNames.has(name) ? undefined : guess(name, known);
    if (near === undefined) continue;
    const others = new Set(declared.get(near)?.map(({ state }) => state));
    if (!declarations.some(({ state }) => others.has(state))) meant.set(name, near);
  }
  return meant;
}
