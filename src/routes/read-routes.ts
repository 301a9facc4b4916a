import type { Document } from "../document/document.js";
import {
  asMapping,
  type Entry,
  itemsOf,
  LocatedString,
  locatedStringsOf,
  type MappingNode,
  type Node,
  placeOf,
  stringOf,
} from "../document/node.js";
import {
  isBareRequestType,
  loopPlugin,
  type LoopSettings,
  type Pipeline,
  requestedPlugin,
  type RoutesFile,
} from "./routes.js";

/** Whether a file is an RFC-103 configuration: it has `pipelines`, or `plugins` with the loop among them. */
export function isRoutesDocument({ root }: Document): boolean {
  if (root?.kind !== "mapping" || root.get("prompts") !== undefined) return false;
  return root.get("pipelines") !== undefined || loopEntry(root) !== undefined;
}

/** Whether a file has any section of a configuration, which may be spread over several files. */
export function hasConfigurationSection({ root }: Document): boolean {
  return ["pipelines", "plugins", "tokens", "api"].some((name) => asMapping(root)?.get(name) !== undefined);
}

export function readRoutes(name: string, document: Document): RoutesFile {
  const root = asMapping(document.root);
  const section = root?.get("pipelines");
  const loop = loopEntry(root);
  const pipelines: Pipeline[] = [];
  const file: RoutesFile = {
    name,
    document,
    pipelines,
    hasAllPipelines:
      section === undefined || (section.kind === "sequence" && section.items.every(hasReadableEvent)),
    loop: readLoop(loop),
    scopes: [...collectScopes(loop?.value), ...agentTokens(root).flatMap(collectScopes)],
  };
  for (const item of itemsOf(section)) {
    const pipeline = asMapping(item);
    if (pipeline !== undefined) pipelines.push(readPipeline(file, pipeline));
  }
  return file;
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

function readPipeline(file: RoutesFile, node: MappingNode): Pipeline {
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
    plugin: requestedPlugin(on?.text ?? ""),
    steps: steps.length === 0 ? undefined : steps,
  };
}

function readLoop(loop: Entry | undefined): LoopSettings | undefined {
  const plugin = asMapping(loop?.value);
  if (loop === undefined || plugin === undefined) return undefined;
  const config = asMapping(plugin.get("config"));
  const allowed = config?.get("allowed_plugins");
  return {
    at: loop.key,
    plugin,
    config,
    allowed: allowed?.kind === "sequence" ? uniqueNames(allowed) : undefined,
  };
}

/** Empty names are left to the schema. */
function uniqueNames(list: Node): readonly LocatedString[] {
  const names = new Map<string, LocatedString>();
  for (const name of locatedStringsOf(list)) if (!names.has(name.text)) names.set(name.text, name);
  names.delete("");
  return [...names.values()];
}

const agentTokenName = /(?:^|[^a-z])agent(?:ic)?(?:[-_ ]?loop)?(?:[^a-z]|$)/iu;

/** The entries of `tokens`, `api.tokens` and `api.auth.tokens` whose name says that they are the agent's. */
function agentTokens(root: MappingNode | undefined): readonly Node[] {
  const api = asMapping(root?.get("api"));
  const holders = [root, api, asMapping(api?.get("auth"))];
  return holders
    .flatMap((holder) => itemsOf(holder?.get("tokens")))
    .filter((token) =>
      ["name", "id", "principal", "plugin", "for", "token", "secret_ref", "key"].some((name) =>
        agentTokenName.test(stringOf(asMapping(token)?.get(name)) ?? ""),
      ),
    );
}

/** Everything listed under a key such as `scopes` or `token_scopes`, in no order. */
function collectScopes(root: Node | undefined): readonly LocatedString[] {
  const scopes: LocatedString[] = [];
  const waiting = root === undefined ? [] : [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.kind === "sequence") for (const item of node.items) waiting.push(item);
    if (node.kind !== "mapping") continue;
    for (const { key, value } of node.entries) {
      if (/(?:^|_)scopes?$/u.test(key.text)) for (const scope of splitScopes(value)) scopes.push(scope);
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
  for (const [, number, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/gu)) {
    seconds += Number(number) * (secondsByUnit[unit ?? ""] ?? 0);
  }
  return seconds;
}
