import { addTo } from "../maps/add-to.js";
import { compareText } from "../diagnostic.js";
import { numberOf } from "../document/spelled-values.js";
import { misdirectedOf } from "./misdirected.js";
import { misnamedOf } from "./misnamed.js";
import type { Pipeline, RoutesFile } from "./routes-file.js";

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
export function lacksPlugin(type: string): boolean {
  return type === requestPrefix || `${type}.` === requestPrefix;
}

/** The plugin that a type of request names; nothing for any other type. */
export function pluginOf(type: string): string | undefined {
  return type.startsWith(requestPrefix) && !lacksPlugin(type) ? type.slice(requestPrefix.length) : undefined;
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
  private foundMeant: ReadonlyMap<string, string> | undefined;
  private foundMisdirected: ReadonlyMap<Pipeline, string> | undefined;
  private foundListedAmiss: ReadonlyMap<string, string> | undefined;
  private foundStrays: ReadonlyMap<string, readonly Pipeline[]> | undefined;

  constructor(files: readonly RoutesFile[]) {
    this.files = [...files].sort((a, b) => compareText(a.name, b.name));
    this.byName = new Map(files.map((file) => [file.name, file]));
    const pipelines = this.files.flatMap((file) => file.pipelines);
    for (const pipeline of pipelines) {
      if (pipeline.plugin !== undefined) addTo(this.routes, pipeline.plugin, pipeline);
    }
    this.resumesOnResult = pipelines.some(
      (pipeline) => pipeline.on?.text === resultType && runs(pipeline, loopPlugin),
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
        if (on !== undefined && plugin === undefined && !lacksPlugin(on.text)) yield on.text;
  }

  /** Pipelines that are most likely for a plugin, although their event names it amiss, or another, or none. */
  straysOf(plugin: string): readonly Pipeline[] {
    return (this.foundStrays ??= this.findStrays()).get(plugin) ?? [];
  }

  get hasStrays(): boolean {
    return (this.foundStrays ??= this.findStrays()).size > 0;
  }

  routedPlugins(): Iterable<string> {
    return this.routes.keys();
  }

  /** By a routed plugin that is not allowed, the one without a route that most likely is the same: one is misspelt. */
  get meant(): ReadonlyMap<string, string> {
    return (this.foundMeant ??= this.findMeant());
  }

  /** Of these, by the one that is allowed, those of which the pipelines show that the list is wrong, not the event. */
  get listedAmiss(): ReadonlyMap<string, string> {
    return (this.foundListedAmiss ??= this.findListedAmiss());
  }

  /** By a pipeline that runs another plugin than its event names, the one without a route that it is for. */
  get misdirected(): ReadonlyMap<Pipeline, string> {
    return (this.foundMisdirected ??= this.findMisdirected());
  }

  private findStrays(): ReadonlyMap<string, readonly Pipeline[]> {
    const strays = new Map<string, Pipeline[]>();
    for (const [routed, plugin] of this.meant)
      for (const pipeline of this.routesOf(routed)) addTo(strays, plugin, pipeline);
    for (const [pipeline, plugin] of this.misdirected) addTo(strays, plugin, pipeline);
    for (const pipeline of this.files.flatMap(({ pipelines }) => pipelines)) {
      if (pipeline.on === undefined || !lacksPlugin(pipeline.on.text)) continue;
      for (const { uses } of pipeline.steps ?? []) if (uses !== undefined) addTo(strays, uses.text, pipeline);
    }
    return strays;
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
    return misnamedOf(this.routes.keys(), (plugin) => this.allowed?.has(plugin) === true, this.unrouted());
  }

  private findListedAmiss(): ReadonlyMap<string, string> {
    // A pipeline that cannot be read may be the one that the list names.
    if (!this.hasAllPipelines) return new Map();
    const declared = new Set(this.files.flatMap(({ pluginNames }) => pluginNames));
    const amiss = [...this.meant].filter(
      ([routed, listed]) =>
        !declared.has(listed) && this.routesOf(routed).every((pipeline) => runs(pipeline, routed)),
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

function runs({ steps }: Pipeline, plugin: string): boolean {
  return steps?.some(({ uses }) => uses?.text === plugin) === true;
}
