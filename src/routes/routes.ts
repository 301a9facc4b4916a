import { addTo } from "../words/add-to.js";
import { compareText, type Place } from "../diagnostic.js";
import { guesser } from "../words/nearest-name.js";
import type { Document } from "../document/document.js";
import type { Key, Node } from "../document/node.js";
import type { Text } from "../document/spelled-values.js";
import { misdirectedOf } from "./misdirected.js";

/** What such files are held against. */
export const loopSpec = "RFC-103";
export const loopPlugin = "agentic-loop";
export const requestPrefix = "agentic.tool_request.";
/**
 * The tool by which a workflow event is a step like any other: what a runtime lets the model call. The loop answers it by
 * itself, so that it needs no route.
 */
export const transitionTool = "workflow__transition";

/** Whether a type is that of a request, but for the plugin. */
export function lacksPlugin(type: string): boolean {
  return type === requestPrefix || `${type}.` === requestPrefix;
}

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
  /** Absent when there are none, or they could not be read. */
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
  /** Whether `config` is there and could be read: otherwise nothing in it is known to be missing. */
  readonly hasConfig: boolean;
  /** Whether `timeouts`, if there are any, could be read. */
  readonly hasTimeouts: boolean;
  /** Everything that it, its `config` and its `timeouts` set, misspelt or not. */
  readonly ownNames: readonly string[];
  readonly names: readonly string[];
  /** Absent when there are no `timeouts`. */
  readonly timeoutNames: readonly string[] | undefined;
}

/** A name that most likely stands for another. */
export interface Misspelt {
  readonly at: Key;
  readonly meant: string;
}

/** One file of a configuration. */
export interface RoutesFile {
  /** As it is shown. */
  readonly name: string;
  readonly document: Document;
  /** Parts that are read although their names are not quite right. */
  readonly misspelt: readonly Misspelt[];
  readonly pipelines: readonly Pipeline[];
  /** Whether each could be read as far as its event. */
  readonly hasAllPipelines: boolean;
  readonly loop: LoopSettings | undefined;
  /** What the agent's token may do, where that is given. */
  readonly scopes: readonly Text[];
}

/** A configuration: all its files taken together, in the order of their names. */
export class Routes {
  private readonly files: readonly RoutesFile[];
  private readonly routes = new Map<string, Pipeline[]>();
  private readonly byName: ReadonlyMap<string, RoutesFile>;
  /** The plugins that the loop may use; absent where no file says. */
  readonly allowed: ReadonlySet<string> | undefined;
  readonly hasAllPipelines: boolean;
  private foundMeant: ReadonlyMap<string, string> | undefined;
  private foundMisdirected: ReadonlyMap<Pipeline, string> | undefined;

  constructor(files: readonly RoutesFile[]) {
    this.files = [...files].sort((a, b) => compareText(a.name, b.name));
    this.byName = new Map(files.map((file) => [file.name, file]));
    for (const pipeline of this.files.flatMap(({ pipelines }) => pipelines)) {
      if (pipeline.plugin !== undefined) addTo(this.routes, pipeline.plugin, pipeline);
    }
    const lists = files.flatMap(({ loop }) => (loop?.allowed === undefined ? [] : [loop.allowed]));
    this.hasAllPipelines = files.every((file) => file.hasAllPipelines);
    this.allowed = lists.length === 0 ? undefined : new Set(lists.flat().map(({ text }) => text));
  }

  fileNamed(name: string): RoutesFile | undefined {
    return this.byName.get(name);
  }

  /** The same configuration once this file has taken the place of the one of its name. */
  with(file: RoutesFile): Routes {
    return new Routes([...this.files.filter(({ name }) => name !== file.name), file]);
  }

  /** The pipelines that answer requests for a plugin. */
  routesOf(plugin: string): readonly Pipeline[] {
    return this.routes.get(plugin) ?? [];
  }

  /** What pipelines are on besides requests. */
  *otherEvents(): Iterable<string> {
    for (const { pipelines } of this.files)
      for (const { on, plugin } of pipelines)
        if (on !== undefined && plugin === undefined && !lacksPlugin(on.text)) yield on.text;
  }

  /** What pipelines use whose event is a request without its plugin. */
  *unnamedPlugins(): Iterable<string> {
    for (const { on, steps } of this.files.flatMap(({ pipelines }) => pipelines)) {
      if (on === undefined || !lacksPlugin(on.text)) continue;
      for (const { uses } of steps ?? []) if (uses !== undefined) yield uses.text;
    }
  }

  routedPlugins(): Iterable<string> {
    return this.routes.keys();
  }

  /** By a routed plugin that is not allowed, the one without a route that its event most likely names amiss. */
  get meant(): ReadonlyMap<string, string> {
    return (this.foundMeant ??= this.findMeant());
  }

  /** By a pipeline that runs another plugin than its event names, the one without a route that it is for. */
  get misdirected(): ReadonlyMap<Pipeline, string> {
    return (this.foundMisdirected ??= this.findMisdirected());
  }

  private findMisdirected(): ReadonlyMap<Pipeline, string> {
    const { meant } = this;
    // Where a plugin has one pipeline alone, it is not another's copy.
    const isCopied = (plugin: string) =>
      this.routesOf(plugin).length > 1 || this.allowed?.has(plugin) !== true;
    const routed = [...this.routes.keys()].filter(
      (plugin) => plugin !== loopPlugin && !meant.has(plugin) && isCopied(plugin),
    );
    const unrouted = this.unrouted();
    for (const plugin of meant.values()) unrouted.delete(plugin);
    return misdirectedOf(
      routed.flatMap((plugin) => this.routesOf(plugin)),
      unrouted,
    );
  }

  /** What is allowed and has no route. */
  private unrouted(): Set<string> {
    const { allowed = [] } = this;
    return new Set([...allowed].filter((plugin) => plugin !== loopPlugin && !this.routes.has(plugin)));
  }

  private findMeant(): ReadonlyMap<string, string> {
    const { allowed } = this;
    const lost = this.unrouted();
    const meant = new Map<string, string>();
    const guess = guesser();
    for (const plugin of this.routes.keys()) {
      const near = lost.size === 0 || allowed?.has(plugin) === true ? undefined : guess(plugin, lost);
      if (near === undefined) continue;
      lost.delete(near);
      meant.set(plugin, near);
    }
    return meant;
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
