import type { Facts } from "../machine/facts.js";
import { verdictsOf } from "../machine/verdicts.js";
import { byPlace } from "../pack/artifact-use.js";
import type { Declaration, SharedRead } from "../pack/artifacts.js";
import type { State } from "../pack/workflow.js";
import { listNames } from "../wording.js";
import type { WorkflowRule } from "./rule.js";

/** Bounds the walks through the workflow, one for each name asked about: states times names. */
const mostSteps = 10_000_000;

export const artifactNeverSet: WorkflowRule = {
  id: "artifact-never-set",
  subject: "workflow",
  summary: "Some state that declares an artifact can come before the one that reads it.",
  severity: "warning",
  source: "RFC 0009, artifact lifecycle",
  *check(workflow, facts, { artifacts }) {
    if (!verdictsOf(workflow, facts).sound || !artifacts.hasAllDeclarations) return;
    const mostNames = mostSteps / (workflow.states?.length ?? 1);
    const readersOf = enteredReaders(facts);
    const after = new Map<string, ReadonlySet<number>>();
    for (const reads of byPlace(artifacts.reads.filter(({ certain }) => certain))) {
      const [{ name, reading }] = reads;
      const declarations = artifacts.declared.get(name);
      const readers = readersOf(reads);
      if (declarations === undefined || readers.length === 0) continue;
      let reached = after.get(name);
      if (reached === undefined) {
        if (after.size >= mostNames) return;
        const setters = declarations.map(({ state }) => state.index);
        reached = facts.statesAfter(setters.filter((index) => facts.entered.has(index)));
        after.set(name, reached);
      }
      if (readers.some(({ index }) => reached.has(index))) continue;
      yield {
        at: reading.source.placeOf(reading.reference),
        message: `The artifact "${name}" is always empty here: ${reason(declarations, readers)}.`,
        related: declarations
          .slice(0, 3)
          .map(({ state, artifact }) => ({ at: artifact.name, message: `"${state.name.text}" declares it` })),
      };
    }
  },
};

/** The states that run a prompt with this place in it, and that can be entered. */
function enteredReaders(facts: Facts): (reads: SharedRead) => readonly State[] {
  // Reads of one prompt share the list of its states.
  const known = new Map<readonly State[], readonly State[]>();
  const entered = (states: readonly State[]): readonly State[] => {
    let found = known.get(states);
    if (found === undefined)
      known.set(states, (found = states.filter(({ index }) => facts.entered.has(index))));
    return found;
  };
  return (reads) =>
    reads.length === 1 ? entered(reads[0].states) : reads.flatMap((read) => entered(read.states));
}

function reason(declarations: readonly Declaration[], readers: readonly State[]): string {
  const [setter, ...others] = declarations;
  const reading = `${listNames(readers.map(({ name }) => name.text))} ${readers.length === 1 ? "reads" : "read"} it`;
  if (setter === undefined || others.length > 0) {
    const names = listNames(declarations.map(({ state }) => state.name.text));
    return `it is declared by ${names}, and no run enters any of them before ${reading}`;
  }
  const name = setter.state.name.text;
  return readers.length === 1 && readers[0] === setter.state
    ? `only state "${name}" itself declares it, and no run enters "${name}" twice`
    : `only state "${name}" declares it, and no run enters "${name}" before ${reading}`;
}
