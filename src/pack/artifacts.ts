import type { Prompt, Reading } from "./prompt.js";
import type { Artifact, State } from "./workflow.js";

/** The declarations and reads of artifacts. Their names are one namespace for the whole workflow (RFC 0009). */
export interface ArtifactUse {
  /** By name; declarations in file order. */
  readonly declared: ReadonlyMap<string, readonly Declaration[]>;
  /** False while a state is unclear: it may declare any. */
  readonly hasAllDeclarations: boolean;
  /** Whether the prompt of every state is known. */
  readonly allStatePromptsKnown: boolean;
  /** Every `{{artifacts.x}}` that prompts read, fragments included. */
  readonly reads: readonly ArtifactRead[];
  readonly promptsWithUndeclaredReads: ReadonlySet<Prompt>;
  /** Names read by any template, including fragments that nothing includes. */
  readonly readNames: ReadonlySet<string>;
  /** Whether some template reads them all at once, as `{{#each artifacts}}` does. */
  readonly readsWholeNamespace: boolean;
  /**
   * By a declared name that no template reads: a similar name that is read and that other states declare.
   */
  readonly likelyMisspellings: ReadonlyMap<string, string>;
}

export interface Declaration {
  readonly state: State;
  readonly artifact: Artifact;
}

/** One place in a template that reads an artifact: in a fragment it is one mistake, however many prompts include it. */
export interface ArtifactRead {
  readonly name: string;
  readonly reading: Reading;
  /** False if it may be a local name of the template. */
  readonly certain: boolean;
  readonly readers: readonly [ArtifactReader, ...ArtifactReader[]];
}

/** A prompt that reads artifacts, and the states that run it. All its reads share it. */
export interface ArtifactReader {
  readonly prompt: Prompt;
  readonly states: readonly State[];
}

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
