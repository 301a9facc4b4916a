import { compareText, type Place } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import { type LocatedString, type MappingNode, numberOf } from "../document/node.js";
import { appendTo } from "../text/collections.js";

/** The specification that routes and logs follow. */
export const loopSpec = "RFC-103";
export const loopPlugin = "agentic-loop";
export const requestPrefix = "agentic.tool_request.";
export const resultType = "agentic.tool_result";
/** The tool by which a model fires a workflow event. The loop answers it itself, so it needs no route. */
export const transitionTool = "workflow__transition";
/** A tool payload may be flattened into the payload of its request, so it cannot have these keys. */
export const reservedKeys: readonly string[] = ["run_id", "step", "tool", "tool_command"];

/** Whether a type is that of a request without its plugin. */
export function isBareRequestType(type: string): boolean {
  return type === requestPrefix || `${type}.` === requestPrefix;
}

/** The plugin that a request type names; undefined for any other type. */
export function requestedPlugin(type: string): string | undefined {
  return type.startsWith(requestPrefix) && !isBareRequestType(type)
    ? type.slice(requestPrefix.length)
    : undefined;
}

export type Verdict = "unknown run" | "ended run" | "old step" | "step ahead" | "other tool" | "expected";

interface StepOfTool {
  readonly step: number;
  readonly tool: string;
}

interface RunInLoop {
  readonly isOver: boolean;
  readonly pending: StepOfTool | undefined;
  /** The last step that was requested. */
  readonly lastStep: number;
}

/** What is wrong with a result, in the order of RFC-103 (resume validation logic). Its status comes last. */
export function validateResult(run: RunInLoop | undefined, { step, tool }: StepOfTool): Verdict {
  if (run === undefined) return "unknown run";
  if (run.isOver) return "ended run";
  const { pending, lastStep } = run;
  if (step === pending?.step) return tool === pending.tool ? "expected" : "other tool";
  return step <= lastStep ? "old step" : "step ahead";
}

/** The steps that an event triggers. */
export interface Pipeline {
  readonly file: RoutesFile;
  readonly at: Place;
  readonly name: LocatedString | undefined;
  readonly on: LocatedString | undefined;
  /** The plugin whose requests it answers, if any. */
  readonly plugin: string | undefined;
  /** Absent when there are none, or they could not be read. */
  readonly steps: readonly RouteStep[] | undefined;
}

interface RouteStep {
  readonly at: Place;
  readonly uses: LocatedString | undefined;
}

export interface LoopSettings {
  readonly at: Place;
  readonly plugin: MappingNode;
  /** Absent where it could not be read, too. */
  readonly config: MappingNode | undefined;
  /** Absent where `allowed_plugins` is not a list. */
  readonly allowed: readonly LocatedString[] | undefined;
}

export interface RoutesFile {
  readonly name: string;
  readonly document: Document;
  readonly pipelines: readonly Pipeline[];
  /** Whether the event of every pipeline could be read. */
  readonly hasAllPipelines: boolean;
  readonly loop: LoopSettings | undefined;
  readonly scopes: readonly LocatedString[];
}

/** A configuration: all its files together, sorted by name. */
export class Routes {
  /** The plugins that the loop may use; absent when no file lists them. */
  readonly allowed: ReadonlySet<string> | undefined;
  readonly hasAllPipelines: boolean;
  /** Whether a pipeline on results resumes the loop, whichever pipeline the tool ran in. */
  readonly resumesOnResult: boolean;
  readonly files: readonly RoutesFile[];
  private readonly byName: ReadonlyMap<string, RoutesFile>;
  private readonly byPlugin = new Map<string, Pipeline[]>();

  constructor(files: readonly RoutesFile[]) {
    this.files = [...files].sort((a, b) => compareText(a.name, b.name));
    this.byName = new Map(files.map((file) => [file.name, file]));
    const pipelines = this.files.flatMap((file) => file.pipelines);
    for (const pipeline of pipelines) {
      if (pipeline.plugin !== undefined) appendTo(this.byPlugin, pipeline.plugin, pipeline);
    }
    this.resumesOnResult = pipelines.some(
      ({ on, steps }) =>
        on?.text === resultType && steps?.some(({ uses }) => uses?.text === loopPlugin) === true,
    );
    const lists = files.flatMap(({ loop }) => (loop?.allowed === undefined ? [] : [loop.allowed]));
    this.hasAllPipelines = files.every((file) => file.hasAllPipelines);
    this.allowed = lists.length === 0 ? undefined : new Set(lists.flat().map(({ text }) => text));
  }

  fileNamed(name: string): RoutesFile | undefined {
    return this.byName.get(name);
  }

  with(file: RoutesFile): Routes {
    return new Routes([...this.files.filter(({ name }) => name !== file.name), file]);
  }

  routesOf(plugin: string): readonly Pipeline[] {
    return this.byPlugin.get(plugin) ?? [];
  }

  routedPlugins(): Iterable<string> {
    return this.byPlugin.keys();
  }

  /** The events of pipelines that answer no request. */
  *otherEvents(): Iterable<string> {
    for (const { pipelines } of this.files)
      for (const { on, plugin } of pipelines) if (on !== undefined && plugin === undefined) yield on.text;
  }

  get maxSteps(): number | undefined {
    for (const { loop } of this.files) {
      const maxSteps = numberOf(loop?.config?.get("max_steps"));
      if (maxSteps !== undefined) return maxSteps;
    }
    return undefined;
  }
}
