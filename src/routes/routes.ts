import { compareText, type Place } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import { type Key, type LocatedString, type MappingNode, numberOf } from "../document/node.js";
import { appendTo } from "../text/collections.js";
import { createGuesser } from "../text/names.js";

interface RouteStep {
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

/** What such files are held against. */
export const loopSpec = "RFC-103";
export const loopPlugin = "agentic-loop";
export const requestPrefix = "agentic.tool_request.";
export const resultType = "agentic.tool_result";
/**
 * The tool by which a workflow event is a step like any other: what a runtime lets the model call. The loop answers it by
 * itself, so that it needs no route.
 */
export const transitionTool = "workflow__transition";

/** Whether a type is that of a request, but for the plugin. */
export function isBareRequestType(type: string): boolean {
  return type === requestPrefix || `${type}.` === requestPrefix;
}

/** The plugin that a type of request names; nothing for any other type. */
export function requestedPlugin(type: string): string | undefined {
  return type.startsWith(requestPrefix) && !isBareRequestType(type)
    ? type.slice(requestPrefix.length)
    : undefined;
}

/** A configuration: all its files taken together, in the order of their names. */
export class Routes {
  readonly files: readonly RoutesFile[];
  private readonly routes = new Map<string, Pipeline[]>();
  private readonly byName: ReadonlyMap<string, RoutesFile>;
  /** The plugins that the loop may use; absent where no file says. */
  readonly allowed: ReadonlySet<string> | undefined;
  readonly hasAllPipelines: boolean;
  /** Whether a pipeline on results resumes the loop, whichever pipeline the tool ran in. */
  readonly resumesOnResult: boolean;
  private cachedMisspelledPlugins: ReadonlyMap<string, string> | undefined;
  private cachedMisdirected: ReadonlyMap<Pipeline, string> | undefined;
  private cachedMisspelledInList: ReadonlyMap<string, string> | undefined;
  private cachedLikelyPipelines: ReadonlyMap<string, readonly Pipeline[]> | undefined;

  constructor(files: readonly RoutesFile[]) {
    this.files = [...files].sort((a, b) => compareText(a.name, b.name));
    this.byName = new Map(files.map((file) => [file.name, file]));
    const pipelines = this.files.flatMap((file) => file.pipelines);
    for (const pipeline of pipelines) {
      if (pipeline.plugin !== undefined) appendTo(this.routes, pipeline.plugin, pipeline);
    }
    this.resumesOnResult = pipelines.some(
      (pipeline) => pipeline.on?.text === resultType && usesPlugin(pipeline, loopPlugin),
    );
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
        if (on !== undefined && plugin === undefined && !isBareRequestType(on.text)) yield on.text;
  }

  /** Pipelines that are most likely for a plugin, although their event names it amiss, or another, or none. */
  likelyPipelinesOf(plugin: string): readonly Pipeline[] {
    return (this.cachedLikelyPipelines ??= this.findLikelyPipelines()).get(plugin) ?? [];
  }

  get hasLikelyPipelines(): boolean {
    return (this.cachedLikelyPipelines ??= this.findLikelyPipelines()).size > 0;
  }

  routedPlugins(): Iterable<string> {
    return this.routes.keys();
  }

  /** By a routed plugin that is not allowed, the one without a route that most likely is the same: one is misspelt. */
  get misspelledPlugins(): ReadonlyMap<string, string> {
    return (this.cachedMisspelledPlugins ??= this.findMisspelledPlugins());
  }

  /** Of these, by the one that is allowed, those of which the pipelines show that the list is wrong, not the event. */
  get misspelledInList(): ReadonlyMap<string, string> {
    return (this.cachedMisspelledInList ??= this.findMisspelledInList());
  }

  /** By a pipeline that runs another plugin than its event names, the one without a route that it is for. */
  get misdirected(): ReadonlyMap<Pipeline, string> {
    return (this.cachedMisdirected ??= this.findMisdirected());
  }

  private findLikelyPipelines(): ReadonlyMap<string, readonly Pipeline[]> {
    const strays = new Map<string, Pipeline[]>();
    for (const [routed, plugin] of this.misspelledPlugins)
      for (const pipeline of this.routesOf(routed)) appendTo(strays, plugin, pipeline);
    for (const [pipeline, plugin] of this.misdirected) appendTo(strays, plugin, pipeline);
    for (const pipeline of this.files.flatMap(({ pipelines }) => pipelines)) {
      if (pipeline.on === undefined || !isBareRequestType(pipeline.on.text)) continue;
      for (const { uses } of pipeline.steps ?? [])
        if (uses !== undefined) appendTo(strays, uses.text, pipeline);
    }
    return strays;
  }

  private findMisdirected(): ReadonlyMap<Pipeline, string> {
    const { misspelledPlugins } = this;
    // Where a plugin has one pipeline alone, it is not another's copy.
    const isCopied = (plugin: string) =>
      this.routesOf(plugin).length > 1 || this.allowed?.has(plugin) !== true;
    const routed = [...this.routes.keys()].filter(
      (plugin) => plugin !== loopPlugin && !misspelledPlugins.has(plugin) && isCopied(plugin),
    );
    const unrouted = this.unrouted();
    for (const plugin of misspelledPlugins.values()) unrouted.delete(plugin);
    return findMisdirectedPipelines(
      routed.flatMap((plugin) => this.routesOf(plugin)),
      unrouted,
    );
  }

  /** What is allowed and has no route. */
  private unrouted(): Set<string> {
    const { allowed = [] } = this;
    return new Set([...allowed].filter((plugin) => plugin !== loopPlugin && !this.routes.has(plugin)));
  }

  private findMisspelledPlugins(): ReadonlyMap<string, string> {
    return findMisspelledPlugins(
      this.routes.keys(),
      (plugin) => this.allowed?.has(plugin) === true,
      this.unrouted(),
    );
  }

  private findMisspelledInList(): ReadonlyMap<string, string> {
    // A pipeline that cannot be read may be the one that the list names.
    if (!this.hasAllPipelines) return new Map();
    const declared = new Set(this.files.flatMap(({ pluginNames }) => pluginNames));
    const amiss = [...this.misspelledPlugins].filter(
      ([routed, listed]) =>
        !declared.has(listed) && this.routesOf(routed).every((pipeline) => usesPlugin(pipeline, routed)),
    );
    return new Map(amiss.map(([routed, listed]) => [listed, routed]));
  }

  /** `max_steps` as the settings give it. */
  get maxSteps(): number | undefined {
    for (const { loop } of this.files) {
      const maxSteps = numberOf(loop?.config?.get("max_steps"));
      if (maxSteps !== undefined) return maxSteps;
    }
    return undefined;
  }
}

function usesPlugin({ steps }: Pipeline, plugin: string): boolean {
  return steps?.some(({ uses }) => uses?.text === plugin) === true;
}

/** By a plugin that is routed and not allowed, the one that is allowed, has no route, and is called nearly the same. */
function findMisspelledPlugins(
  routed: Iterable<string>,
  isAllowed: (plugin: string) => boolean,
  unrouted: Iterable<string>,
): ReadonlyMap<string, string> {
  const lost = new Set(unrouted);
  const misnamed = new Map<string, string>();
  const guess = createGuesser();
  for (const plugin of routed) {
    const near = lost.size === 0 || isAllowed(plugin) ? undefined : guess(plugin, lost);
    if (near === undefined) continue;
    lost.delete(near);
    misnamed.set(plugin, near);
  }
  return misnamed;
}

/**
 * Pipelines whose event names one plugin while they run another, which is allowed and has no route: most likely a copy
 * whose event was left as it was. By pipeline, the plugin it is for.
 */
function findMisdirectedPipelines(
  pipelines: Iterable<Pipeline>,
  unrouted: Iterable<string>,
): ReadonlyMap<Pipeline, string> {
  const lost = new Set(unrouted);
  const misdirected = new Map<Pipeline, string>();
  for (const pipeline of pipelines) {
    const used = new Set(pipeline.steps?.map(({ uses }) => uses?.text));
    if (used.has(pipeline.plugin) || used.has(undefined)) continue;
    const [plugin, ...more] = [...used].filter((each) => each !== undefined && lost.has(each));
    if (plugin === undefined || more.length > 0) continue;
    lost.delete(plugin);
    misdirected.set(pipeline, plugin);
  }
  return misdirected;
}
