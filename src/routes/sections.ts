import type { Entry, MappingNode, Node } from "../document/node.js";
import { asMapping, itemsOf, stringOf } from "../document/spelled-values.js";
import { nearestName } from "../words/nearest-name.js";
import { loopPlugin, requestPrefix } from "./routes.js";
import type { MisspelledSection } from "./routes-file.js";

/** The parts of a configuration file, as they are called or misspelt. */
export interface Sections {
  readonly pipelines: Node | undefined;
  readonly plugins: MappingNode | undefined;
  readonly loop: Entry | undefined;
  readonly misspelledSections: readonly MisspelledSection[];
}

export function readSections(root: MappingNode | undefined): Sections {
  const misspelledSections: MisspelledSection[] = [];
  const find = (
    within: MappingNode | undefined,
    name: string,
    isMeant: (value: Node) => boolean,
  ): Entry | undefined => {
    const found = within?.entry(name) ?? (within && findMisspelledEntry(within, name, isMeant));
    if (found !== undefined && found.key.text !== name) misspelledSections.push({ at: found.key, correctName: name });
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
