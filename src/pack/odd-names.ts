import { isOdd, type OddNames } from "../template/read-template.js";
import type { Fragment } from "./prompt.js";
import type { Workflow } from "./workflow.js";

/** The names in a pack that templates can only be told to mean by who knows them. */
export function oddNamesOf(
  fragments: ReadonlyMap<string, Fragment>,
  workflow: Workflow | undefined,
): OddNames {
  const artifacts = (workflow?.states ?? []).flatMap((state) => state.artifacts.map(({ name }) => name.text));
  return {
    fragment: new Set([...fragments.keys()].filter(isOdd)),
    artifact: new Set(artifacts.filter(isOdd)),
  };
}
