import type { Diagnostic } from "../../diagnostic.js";
import type { Document } from "../../document/document.js";
import { agenticMaxSteps } from "../../rules/agentic/agentic-max-steps.js";
import { agenticRoute } from "../../rules/agentic/agentic-route.js";
import { agenticWorkspace } from "../../rules/agentic/agentic-workspace.js";
import { whoCouldSpeak } from "../../suppress/could-speak.js";
import type { IgnoredFinding } from "../config/config.js";
import type { Settings } from "../config/settings.js";

interface Flags {
  readonly routes?: string;
  readonly state?: string;
  readonly workspace?: string;
  readonly budget: boolean;
}

/** Whether such a rule was told what it asks for besides the record. */
const isTold = new Map<string, (flags: Flags) => boolean>([
  [agenticRoute.id, ({ routes }) => routes !== undefined],
  [agenticMaxSteps.id, ({ routes, state }) => (routes ?? state) !== undefined],
  [agenticWorkspace.id, ({ workspace }) => workspace !== undefined],
]);

/**
 * The entries of `ignore` for a record that may be needed again, though they silence nothing now. Whatever is found in
 * a record may hide the rest of it, and so may what the flags leave out.
 */
export function entriesInUse(
  document: Document,
  found: readonly Diagnostic[],
  { levels, ignoredFindings }: Settings,
  flags: Flags,
): readonly IgnoredFinding[] {
  if (found.length > 0 || !flags.budget) return ignoredFindings;
  const couldSpeak = whoCouldSpeak(document, found, levels);
  return ignoredFindings.filter(({ rule }) => !couldSpeak(rule) || isTold.get(rule)?.(flags) === false);
}
