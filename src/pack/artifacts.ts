import type { Prompt, Reading } from "./prompt.js";
import type { Artifact, State } from "./workflow.js";

/** Who declares and who reads the artifacts of a workflow. Their names are one namespace (RFC 0009). */
export interface ArtifactUse {
  /** By name; declarations in file order. */
  readonly declared: ReadonlyMap<string, readonly Declaration[]>;
  /** False while a state is unclear: it may declare any. */
  readonly hasAllDeclarations: boolean;
  /** Which prompt each state runs is known. */
  readonly allStatePromptsKnown: boolean;
  /** Every `{{artifacts.x}}` that a prompt reads, fragments included. */
  readonly reads: readonly ArtifactRead[];
  /** The prompts that read one which no state declares: another name may be meant. */
  readonly promptsWithUndeclaredReads: ReadonlySet<Prompt>;
  /** Names read by any template at all, by fragments that nothing includes too. */
  readonly readNames: ReadonlySet<string>;
  /** Whether some template reads them all at once, as `{{#each artifacts}}` does. */
  readonly readsWholeNamespace: boolean;
  /**
   * What a declared name that no template reads is likely to be meant for: a name like it that is read, and that other
   * states declare.
   */
  readonly likelyMisspellings: ReadonlyMap<string, string>;
}

export interface Declaration {
  readonly state: State;
  readonly artifact: Artifact;
}

export interface ArtifactRead {
  readonly name: string;
  readonly prompt: Prompt;
  readonly reading: Reading;
  /** Surely an artifact; otherwise it only may be one. */
  readonly certain: boolean;
  /** The states that run the prompt. */
  readonly states: readonly State[];
}

/** A place in a template that reads an artifact, for every prompt that it is part of. */
export type SharedArtifactRead = readonly [ArtifactRead, ...ArtifactRead[]];

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
