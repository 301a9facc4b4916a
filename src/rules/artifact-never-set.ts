import { unsetReads } from "../machine/artifact-flow.js";
import type { Declaration } from "../pack/artifacts.js";
import type { State } from "../pack/workflow.js";
import { listNamesOf } from "../text/wording.js";
import type { GraphRule } from "./rule.js";

export const artifactNeverSet: GraphRule = {
  id: "artifact-never-set",
  subject: "graph",
  summary: "Every artifact that a state reads can be set before it is read.",
  severity: "warning",
  source: "RFC 0009, artifact lifecycle",
  *check(workflow, facts, { artifacts }) {
    for (const { read, readers, declarations } of unsetReads(workflow, facts, artifacts)) {
      const { source, reference } = read.reading;
      yield {
        at: source.placeOf(reference),
        message: `The artifact "${read.name}" is always empty here: ${reasonText(declarations, readers)}.`,
        advice: "Set it in an earlier state, or remove the reference.",
        related: declarations
          .slice(0, 3)
          .map(({ state, artifact }) => ({ at: artifact.name, message: `"${state.name.text}" declares it` })),
      };
    }
  },
};

function reasonText(declarations: readonly Declaration[], readers: readonly State[]): string {
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
