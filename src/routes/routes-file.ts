import type { Place } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import type { Key, MappingNode } from "../document/node.js";
import type { LocatedString } from "../document/spelled-values.js";

export interface RouteStep {
  readonly at: Place;
  readonly uses: LocatedString | undefined;
}

/** What happens when an event arrives. */
export interface Pipeline {
  readonly file: RoutesFile;
  readonly at: Place;
  readonly name: LocatedString | undefined;
  readonly on: LocatedString | undefined;
  /** The plugin whose requests it answers; absent when it answers something else. */
  readonly plugin: string | undefined;
  /** Absent when there are none, or they could not be read. */
  readonly steps: readonly RouteStep[] | undefined;
}

/** The settings of the plugin `agentic-loop`. */
export interface LoopSettings {
  readonly at: Place;
  readonly plugin: MappingNode;
  /** Absent where it is not there or could not be read: then nothing in it is known to be missing. */
  readonly config: MappingNode | undefined;
  /** Absent when there is no such list. */
  readonly allowed: readonly LocatedString[] | undefined;
}

/** A name that most likely stands for another. */
export interface MisspelledSection {
  readonly at: Key;
  readonly correctName: string;
}

/** One file of a configuration. */
export interface RoutesFile {
  /** As it is shown. */
  readonly name: string;
  readonly document: Document;
  /** Whether its findings are told: it may only have been read for the sake of others. */
  readonly isReported: boolean;
  /** Parts that are read although their names are not quite right. */
  readonly misspelledSections: readonly MisspelledSection[];
  readonly pipelines: readonly Pipeline[];
  /** Whether each could be read as far as its event. */
  readonly hasAllPipelines: boolean;
  readonly loop: LoopSettings | undefined;
  /** The plugins it declares. */
  readonly pluginNames: readonly string[];
  /** What the agent's token may do, where that is given. */
  readonly scopes: readonly LocatedString[];
}
