import { addTo } from "../add-to.js";
import type { Place } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import type { Node } from "../document/node.js";
import type { Text } from "../document/spelled-values.js";

/** What such files are held against. */
export const loopSpec = "RFC-103";
export const loopPlugin = "agentic-loop";
export const requestPrefix = "agentic.tool_request.";

export interface RouteStep {
  readonly at: Place;
  readonly uses: Text | undefined;
}

/** What happens when an event arrives. */
export interface Pipeline {
  readonly file: RoutesFile;
  readonly at: Place;
  readonly name: Text | undefined;
  readonly on: Text | undefined;
  /** The plugin whose requests it answers; absent when it answers something else. */
  readonly plugin: string | undefined;
  /** Absent when they could not be read. */
  readonly steps: readonly RouteStep[] | undefined;
}

/** The settings of the plugin `agentic-loop`. */
export interface LoopSettings {
  readonly at: Place;
  /** Absent when there is no such list. */
  readonly allowed: readonly Text[] | undefined;
  readonly maxSteps: Node | undefined;
  readonly maxReframes: Node | undefined;
  readonly handleTimeout: Node | undefined;
  /** Everything that its `config` sets, misspelt or not. */
  readonly names: readonly string[];
}

/** One file of a configuration. */
export interface RoutesFile {
  /** As it is shown. */
  readonly name: string;
  readonly document: Document;
  readonly pipelines: readonly Pipeline[];
  readonly loop: LoopSettings | undefined;
  /** What the agent's token may do, where that is given. */
  readonly scopes: readonly Text[];
}

/** A configuration: all its files taken together. */
export class Routes {
  private readonly routes = new Map<string, Pipeline[]>();
  /** The plugins that the loop may use; absent where no file says. */
  readonly allowed: ReadonlySet<string> | undefined;

  constructor(readonly files: readonly RoutesFile[]) {
    for (const pipeline of files.flatMap(({ pipelines }) => pipelines)) {
      if (pipeline.plugin !== undefined) addTo(this.routes, pipeline.plugin, pipeline);
    }
    const lists = files.flatMap(({ loop }) => (loop?.allowed === undefined ? [] : [loop.allowed]));
    this.allowed = lists.length === 0 ? undefined : new Set(lists.flat().map(({ text }) => text));
  }

  /** The pipelines that answer requests for a plugin. */
  routesOf(plugin: string): readonly Pipeline[] {
    return this.routes.get(plugin) ?? [];
  }

  routedPlugins(): Iterable<string> {
    return this.routes.keys();
  }

  /** `max_steps` as the settings give it. */
  get maxSteps(): number | undefined {
    for (const { loop } of this.files) {
      if (loop?.maxSteps?.kind === "scalar" && typeof loop.maxSteps.value === "number")
        return loop.maxSteps.value;
    }
    return undefined;
  }
}
