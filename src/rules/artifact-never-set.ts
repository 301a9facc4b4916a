import type { Facts } from "../machine/facts.js";
import { verdictsOf } from "../machine/verdicts.js";
import { byPlace } from "../pack/artifact-use.js";
import type { Declaration, SharedRead } from "../pack/artifacts.js";
import type { State } from "../pack/workflow.js";
import { listNames } from "../wording.js";
import { lostStates, unclearTexts } from "./held-back.js";
import type { WorkflowRule } from "./rule.js";

/** Bounds the walks through the workflow, one for each set of states that declare a name: in all, and times the states. */
const mostWalks = 100;
const mostSteps = 1_000_000;

export const artifactNeverSet: WorkflowRule = {
  id: "artifact-never-set",
  subject: "workflow",
  summary: "Some state that declares an artifact can come before the one that reads it.",
  severity: "warning",
  source: "RFC 0009, artifact lifecycle",
  heldBackBy: [...lostStates, ...unclearTexts, "no-terminal-state", "undeclared-artifact"],
  *check(workflow, facts, { artifacts }) {
    if (!verdictsOf(workflow, facts).sound || !artifacts.hasAllDeclarations) return;
    const readersOf = enteredReaders(facts);
    const statesAfter = boundedWalks(facts);
    for (const reads of byPlace(artifacts.reads.filter(({ certain }) => certain))) {
      const [{ name, reading }] = reads;
      const declarations = artifacts.declared.get(name);
      const readers = readersOf(reads);
      if (declarations === undefined || readers.length === 0) continue;
      const reached = statesAfter(declarations);
      if (reached === undefined) return;
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

/** The states that can come after one of those that declare a name; nothing once the walks are used up. */
function boundedWalks(
  facts: Facts,
): (declarations: readonly Declaration[]) => ReadonlySet<number> | undefined {
  const most = Math.min(mostWalks, mostSteps / facts.machine.states.length);
  const byName = new Map<readonly Declaration[], ReadonlySet<number>>();
  const bySetters = new Map<string, ReadonlySet<number>>();
  return (declarations) => {
    const known = byName.get(declarations);
    if (known !== undefined) return known;
    const setters = declarations.map(({ state }) => state.index).filter((index) => facts.entered.has(index));
    const key = setters.join();
    let after = bySetters.get(key);
    if (after === undefined) {
      if (bySetters.size >= most) return undefined;
      bySetters.set(key, (after = facts.statesAfter(setters)));
    }
    byName.set(declarations, after);
    return after;
  };
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
