import { compareText } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import {
  asMapping,
  type Entry,
  itemsOf,
  LocatedString,
  locatedStringsOf,
  type MappingNode,
  type Node,
  numberOf,
  placeOf,
  stringOf,
} from "../document/node.js";
import { appendTo, firstByKey } from "../text/collections.js";

export const loopSpec = "RFC-103";
export const loopPlugin = "agentic-loop";
export const requestPrefix = "agentic.tool_request.";
export const resultType = "agentic.tool_result";
export const completedType = "agent.completed";
export const escalatedType = "agent.escalated";
/** In `allowed_plugins`, every plugin: no allowlist. */
export const anyPlugin = "*";
/** The tool by which a model fires a workflow event. The loop answers it itself, so it needs no route. */
export const transitionTool = "workflow__transition";
/** A tool payload may be flattened into the payload of its request, so it cannot have these keys. */
export const reservedKeys: readonly string[] = ["run_id", "step", "tool", "tool_command"];

/** Whether a type is that of a request without its plugin. */
export function isBareRequestType(type: string): boolean {
  return type === requestPrefix || `${type}.` === requestPrefix;
}

export function requestedPlugin(type: string): string | undefined {
  return type.startsWith(requestPrefix) && !isBareRequestType(type)
    ? type.slice(requestPrefix.length)
    : undefined;
}

export type Verdict = "unknown run" | "ended run" | "old step" | "step ahead" | "other tool" | "expected";

export interface StepOfTool {
  readonly step: number;
  readonly tool: string;
}

interface RunInLoop {
  readonly isOver: boolean;
  readonly pending: StepOfTool | undefined;
  /** The last step that was requested. */
  readonly lastStep: number;
}

/** Checks in the order of RFC-103 (resume validation logic), which checks the status last. */
export function validateResult(run: RunInLoop | undefined, { step, tool }: StepOfTool): Verdict {
  if (run === undefined) return "unknown run";
  if (run.isOver) return "ended run";
  const { pending, lastStep } = run;
  if (step === pending?.step) return tool === pending.tool ? "expected" : "other tool";
  return step <= lastStep ? "old step" : "step ahead";
}

export type RoutesFile = ReturnType<typeof readRoutes>;
/** The steps that an event triggers. */
export type Pipeline = ReturnType<typeof readPipeline>;
export type LoopSettings = NonNullable<ReturnType<typeof readLoop>>;

export type Routes = Readonly<ReturnType<typeof joinRoutes>>;

export function joinRoutes(unsorted: readonly RoutesFile[]) {
  const files = unsorted.toSorted((a, b) => compareText(a.name, b.name));
  const byName = new Map(files.map((file) => [file.name, file]));
  const pipelines = files.flatMap((file) => file.pipelines);
  const byPlugin = new Map<string, Pipeline[]>();
  for (const pipeline of pipelines)
    if (pipeline.plugin !== undefined) appendTo(byPlugin, pipeline.plugin, pipeline);
  const named = new Map<string, Pipeline[]>();
  for (const pipeline of pipelines) appendTo(named, pipeline.name?.text ?? "", pipeline);
  const allowed = unsorted.flatMap(({ loop }) => (loop?.allowed === undefined ? [] : [loop.allowed]));
  const names = new Set(allowed.flat().map(({ text }) => text));
  return {
    files,
    fileNamed: (name: string) => byName.get(name),
    byPlugin,
    /** The pipeline that has the name of this plugin's, as RFC-103 writes it, but answers and runs another. */
    misnamedFor: (plugin: string): Pipeline | undefined => {
      const [only, ...others] = named.get(`agentic-tool-${plugin}`) ?? [];
      if (only?.plugin === undefined || only.plugin === loopPlugin || others.length > 0) return undefined;
      const runsOther = only.steps?.every(({ uses }) => uses !== undefined && uses.text !== plugin);
      return runsOther === true && !byPlugin.has(plugin) ? only : undefined;
    },
    hasAllPipelines: files.every((file) => file.hasAllPipelines),
    /** Whether a pipeline on results resumes the loop, whichever pipeline the tool ran in. */
    resumesOnResult: pipelines.some(
      ({ on, steps }) =>
        on?.text === resultType && steps?.some(({ uses }) => uses?.text === loopPlugin) === true,
    ),
    /** The plugins that the loop may use; absent when no file lists them, or one allows all. */
    allowed: allowed.length === 0 || names.has(anyPlugin) ? undefined : names,
    *otherEvents(): Iterable<string> {
      for (const { on, plugin } of pipelines) if (on !== undefined && plugin === undefined) yield on.text;
    },
    maxSteps: files
      .map(({ loop }) => numberOf(loop?.config?.get("max_steps")))
      .find((maxSteps) => maxSteps !== undefined),
  };
}

export function replaceFile({ files }: Routes, file: RoutesFile): Routes {
  return joinRoutes([...files.filter(({ name }) => name !== file.name), file]);
}

/** Whether a file is an RFC-103 configuration: it has `pipelines`, or `plugins` with the loop among them. */
export function isRoutesDocument({ root }: Document): boolean {
  if (root?.kind !== "mapping" || root.get("prompts") !== undefined) return false;
  return root.get("pipelines") !== undefined || loopEntry(root) !== undefined;
}

/** Whether a file has any section of a configuration, which may be spread over several files. */
export function hasConfigurationSection({ root }: Document): boolean {
  return ["pipelines", "plugins", "tokens", "api"].some((name) => asMapping(root)?.get(name) !== undefined);
}

export function readRoutes(name: string, document: Document) {
  const root = asMapping(document.root);
  const section = root?.get("pipelines");
  const loop = loopEntry(root);
  return {
    name,
    document,
    pipelines: itemsOf(section).flatMap((item) => (item.kind === "mapping" ? readPipeline(name, item) : [])),
    hasAllPipelines:
      section === undefined || (section.kind === "sequence" && section.items.every(hasReadableEvent)),
    loop: readLoop(loop),
    scopes: [
      ...collectScopes(loop?.value),
      ...tokensIn(root).filter(isOfAgent).flatMap(collectScopes),
    ] as readonly LocatedString[],
    unnamedScopes: tokensIn(root).filter(isUnnamed).flatMap(collectScopes),
  };
}

function loopEntry(root: MappingNode | undefined): Entry | undefined {
  return asMapping(root?.get("plugins"))?.entry(loopPlugin);
}

/** A pipeline on a hook answers no event. */
function hasReadableEvent(item: Node): boolean {
  const pipeline = asMapping(item);
  const event = stringOf(pipeline?.get("on") ?? pipeline?.get("on-hook"));
  return event !== undefined && !isBareRequestType(event);
}

function readPipeline(file: string, node: MappingNode) {
  const on = LocatedString.of(node.get("on"));
  const steps = itemsOf(node.get("steps")).map((step) => ({
    at: placeOf(step),
    uses: LocatedString.of(asMapping(step)?.get("uses")),
  }));
  return {
    file,
    at: placeOf(node),
    name: LocatedString.of(node.get("name")),
    on,
    /** The plugin whose requests it answers, if any. */
    plugin: requestedPlugin(on?.text ?? ""),
    /** Absent when there are none, or they could not be read. */
    steps: steps.length === 0 ? undefined : steps,
  };
}

function readLoop(loop: Entry | undefined) {
  const plugin = asMapping(loop?.value);
  if (loop === undefined || plugin === undefined) return undefined;
  const config = asMapping(plugin.get("config"));
  const allowed = config?.get("allowed_plugins");
  /** `allowed` is absent where `allowed_plugins` is not a list. */
  return {
    at: loop.key,
    plugin,
    config,
    allowed: allowed?.kind === "sequence" ? uniqueNames(allowed) : undefined,
  };
}

/** Empty names are left to the schema. */
function uniqueNames(list: Node): readonly LocatedString[] {
  const names = firstByKey(locatedStringsOf(list), ({ text }) => text);
  names.delete("");
  return [...names.values()];
}

const agentTokenName = /(?:^|[^a-z])agent(?:ic)?(?:[-_ ]?loop)?(?:[^a-z]|$)/iu;

/** The entries of `tokens`, `api.tokens` and `api.auth.tokens`. */
function tokensIn(root: MappingNode | undefined): readonly Node[] {
  const api = asMapping(root?.get("api"));
  const holders = [root, api, asMapping(api?.get("auth"))];
  return holders.flatMap((holder) => itemsOf(holder?.get("tokens")));
}

/** Whether its name says that it is the agent's. */
function isOfAgent(token: Node): boolean {
  return ["name", "id", "principal", "plugin", "for", "token", "secret_ref", "key"].some((name) =>
    agentTokenName.test(stringOf(asMapping(token)?.get(name)) ?? ""),
  );
}

/** The name of an environment variable, which may say whose token it holds; anything else is the secret itself. */
const variableName = /^(?:\$|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$)/u;
/** `${API_TOKEN}` names nobody. */
const namesNobody = /^(?:[^a-z]|access|api|auth|bearer|key|secret|token)*$/iu;

/** Whether no text of a token, apart from its secret and scopes, can say whose it is. */
function isUnnamed(token: Node): boolean {
  const { entries = [] } = asMapping(token) ?? {};
  return entries.every(({ key, value }) => {
    const text = stringOf(value) ?? "";
    const isSecret = ["token", "key", "secret"].includes(key.text) && !variableName.test(text);
    return isSecret || scopesKey.test(key.text) || namesNobody.test(text);
  });
}

const scopesKey = /(?:^|_)scopes?$/u;

/** Everything listed under a key such as `scopes` or `token_scopes`, in no order. */
function collectScopes(root: Node | undefined): readonly LocatedString[] {
  const scopes: LocatedString[] = [];
  const waiting = root === undefined ? [] : [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.kind === "sequence") for (const item of node.items) waiting.push(item);
    if (node.kind !== "mapping") continue;
    for (const { key, value } of node.entries) {
      if (scopesKey.test(key.text)) for (const scope of splitScopes(value)) scopes.push(scope);
      else waiting.push(value);
    }
  }
  return scopes;
}

/** Scopes are a list, or one string that may name several. */
function splitScopes(value: Node): readonly LocatedString[] {
  const single = LocatedString.of(value);
  return (single === undefined ? locatedStringsOf(value) : [single]).flatMap(({ text, node }) =>
    [...new Set(text.split(/[\s,]+/u))].map((scope) => new LocatedString(scope, node)),
  );
}

const secondsByUnit: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 };

/** Seconds of a duration such as `120s` or `1m30s`; a bare number counts seconds. */
export function durationSeconds(value: string | number): number | undefined {
  if (typeof value === "number") return value;
  const text = value.trim();
  if (/^\d{1,9}(?:\.\d{1,9})?$/u.test(text)) return Number(text);
  if (!/^(?:\d{1,9}(?:\.\d{1,9})?(?:ms|s|m|h|d))+$/u.test(text)) return undefined;
  let seconds = 0;
  for (const [, number, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/gu))
    seconds += Number(number) * (secondsByUnit[unit ?? ""] ?? 0);
  return seconds;
}
