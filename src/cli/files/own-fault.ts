import type { Fault } from "../../document/document.js";

const expectedShapes = {
  config: "an object with keys such as extends and rules",
  baseline: 'an object with a "findings" list',
  run: "an object with keys such as run_id and state",
};

/** Why a file of ours cannot be read, and what it is otherwise. */
export function describeFileFault({ message, kind }: Fault, what: keyof typeof expectedShapes): string {
  if (kind === "no-object") return `${message} A ${what} must be ${expectedShapes[what]}.`;
  if (kind === "yaml") return `${message} Write it as JSON.`;
  return kind === "several-documents" ? `${message} A ${what} must be a single document.` : message;
}
