import type { Document } from "../document/document.js";
import {
  asMapping,
  type Entry,
  itemsOf,
  type Key,
  LocatedString,
  locatedStringsOf,
  type MappingNode,
  type Node,
  placeOf,
  stringOf,
} from "../document/node.js";
import { nearestName } from "../text/names.js";
import {
  loopPlugin,
  type LoopSettings,
  type MisspelledSection,
  type Pipeline,
  requestedPlugin,
  requestPrefix,
  type RoutesFile,
} from "./routes.js";

/** Whether a file is an RFC-103 configuration: it has `pipelines`, or `plugins` with the loop among them. */
export function isRoutesDocument({ root }: Document): boolean {
  if (root?.kind !== "mapping" || root.get("prompts") !== undefined) return false;
  const { pipelines, loop } = readSections(root);
  return pipelines !== undefined || loop !== undefined;
}

/** Whether a file has any of the sections that are read of a configuration, which may be spread over several files. */
export function hasConfigurationSection({ root }: Document): boolean {
  if (root?.kind !== "mapping") return false;
  const { pipelines, loop } = readSections(root);
  if (pipelines !== undefined || loop !== undefined) return true;
  return ["plugins", "tokens", "api"].some((name) => root.get(name) !== undefined);
}

/** What a configuration file says, as far as it is well-formed. */
export function readRoutes(name: string, document: Document, isReported = true): RoutesFile {
  const root = asMapping(document.root);
  const { pipelines: section, plugins, loop, misspelledSections } = readSections(root);
  const pipelines: Pipeline[] = [];
  const file: RoutesFile = {
    name,
    document,
    isReported,
    misspelledSections,
    pipelines,
    hasAllPipelines:
      section === undefined || (section.kind === "sequence" && section.items.every(hasReadableEvent)),
    loop: loop?.value.kind === "mapping" ? readLoop(loop.key, loop.value) : undefined,
    pluginNames: (plugins?.entries ?? []).map(({ key }) => key.text),
    scopes: [...collectScopes(loop?.value), ...agentTokens(root).flatMap(collectScopes)],
  };
  for (const item of itemsOf(section)) {
    const pipeline = asMapping(item);
    if (pipeline !== undefined) pipelines.push(readPipeline(file, pipeline));
  }
  return file;
}

/** A pipeline on a hook answers no event. */
function hasReadableEvent(item: Node): boolean {
  const pipeline = asMapping(item);
  const on = pipeline?.get("on");
  return LocatedString.of(on ?? pipeline?.get("on-hook")) !== undefined;
}

function readPipeline(file: RoutesFile, node: MappingNode): Pipeline {
  const on = LocatedString.of(node.get("on"));
  const steps = node.get("steps");
  return {
    file,
    at: placeOf(node),
    name: LocatedString.of(node.get("name")),
    on,
    plugin: requestedPlugin(on?.text ?? ""),
    steps:
      steps?.kind !== "sequence" || steps.items.length === 0
        ? undefined
        : steps.items.map((step) => ({
            at: placeOf(step),
            uses: LocatedString.of(asMapping(step)?.get("uses")),
          })),
  };
}

function readLoop(key: Key, plugin: MappingNode): LoopSettings {
  const config = asMapping(plugin.get("config"));
  const allowed = config?.get("allowed_plugins");
  return {
    at: key,
    plugin,
    config,
    allowed: allowed?.kind === "sequence" ? uniqueNames(allowed) : undefined,
  };
}

/** Each once; an empty name is the schema's to report. */
function uniqueNames(list: Node): readonly LocatedString[] {
  const names = new Map<string, LocatedString>();
  for (const name of locatedStringsOf(list)) if (!names.has(name.text)) names.set(name.text, name);
  names.delete("");
  return [...names.values()];
}

const agentTokenName = /(?:^|[^a-z])agent(?:ic)?(?:[-_ ]?loop)?(?:[^a-z]|$)/iu;

/** The entries of `tokens`, `api.tokens` and `api.auth.tokens` that are the agent's by what they are called. */
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

/** A list, or one string; a string may name several. */
function splitScopes(value: Node): readonly LocatedString[] {
  const own = LocatedString.of(value);
  return (own === undefined ? locatedStringsOf(value) : [own]).flatMap(({ text, node }) =>
    [...new Set(text.split(/[\s,]+/u))].map((scope) => new LocatedString(scope, node)),
  );
}

/** The parts of a configuration file, as they are called or misspelt. */
interface Sections {
  readonly pipelines: Node | undefined;
  readonly plugins: MappingNode | undefined;
  readonly loop: Entry | undefined;
  readonly misspelledSections: readonly MisspelledSection[];
}

function readSections(root: MappingNode | undefined): Sections {
  const misspelledSections: MisspelledSection[] = [];
  const find = (
    within: MappingNode | undefined,
    name: string,
    isMeant: (value: Node) => boolean,
  ): Entry | undefined => {
    const found = within?.entry(name) ?? (within && findMisspelledEntry(within, name, isMeant));
    if (found !== undefined && found.key.text !== name)
      misspelledSections.push({ at: found.key, correctName: name });
    return found;
  };
  const pipelines = find(root, "pipelines", hasRequestRoute)?.value;
  const plugins = asMapping(
    find(root, "plugins", (value) => asMapping(value)?.get(loopPlugin) !== undefined)?.value,
  );
  const loop = find(plugins, loopPlugin, hasAllowedPlugins);
  return { pipelines, plugins, loop, misspelledSections };
}

/** What a section is called elsewhere. */
const sectionAliases: ReadonlyMap<string, string> = new Map([["routes", "pipelines"]]);

/** Its value has to show that the name was meant: other names may be anybody's. */
function findMisspelledEntry(
  { entries }: MappingNode,
  name: string,
  isMeant: (value: Node) => boolean,
): Entry | undefined {
  return entries.find(
    ({ key, value }) =>
      isMeant(value) && (sectionAliases.get(key.text) ?? nearestName(key.text, [name])) === name,
  );
}

function hasRequestRoute(pipelines: Node): boolean {
  return itemsOf(pipelines).some(
    (item) => stringOf(asMapping(item)?.get("on"))?.startsWith(requestPrefix) === true,
  );
}

function hasAllowedPlugins(plugin: Node): boolean {
  return asMapping(asMapping(plugin)?.get("config"))?.get("allowed_plugins") !== undefined;
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
