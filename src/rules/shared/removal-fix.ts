import type { Document } from "../../document/document.js";
import { removeEntry } from "../../document/edit/edit.js";
import type { LocatedString } from "../../document/spelled-values.js";
import type { Facts } from "../../machine/facts.js";
import { verdictsOf } from "../../machine/verdicts.js";
import type { State, Workflow } from "../../pack/workflow.js";
import { safeFix, type WithFix } from "./with-fix.js";

/** A part of a state that has no effect as it stands. */
interface UnusedPart {
  readonly name: "on_event" | "on_max_visits";
  readonly targets: readonly (LocatedString | undefined)[];
}

/** Removes a part that has no effect, unless it names a state that no run enters: it may then be wanted. */
export function removePartFix(
  document: Document,
  { node }: State,
  { name, targets }: UnusedPart,
  workflow: Workflow,
  facts: Facts,
): WithFix {
  if (node === undefined) return {};
  const named = new Set(targets.map((target) => target?.text));
  if (verdictsOf(workflow, facts).unreachable.some(({ name: { text } }) => named.has(text))) return {};
  return safeFix(`Remove ${name}.`, removeEntry(document, node, name));
}
