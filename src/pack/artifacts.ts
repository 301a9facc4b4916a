import type { Prompt, Reading } from "./prompt.js";
import type { Artifact, State } from "./workflow.js";

/** Who declares and who reads the artifacts of a workflow. Their names are one namespace (RFC 0009). */
export interface ArtifactUse {
  /** By name; declarations in file order. */
  readonly declared: ReadonlyMap<string, readonly Declaration[]>;
  /** Every `{{artifacts.x}}` that a prompt reads, fragments included. */
  readonly reads: readonly ArtifactRead[];
  /** Names read by any template at all, by fragments that nothing includes too. */
  readonly readNames: ReadonlySet<string>;
}

export interface Declaration {
  readonly state: State;
  readonly artifact: Artifact;
}

export interface ArtifactRead {
  readonly name: string;
  readonly prompt: Prompt;
  readonly reading: Reading;
  /** The states that run the prompt. */
  readonly states: readonly State[];
}
