import type { Words } from "../../diagnostic.js";
import type { MappingNode, Node } from "../../document/node.js";
import { hasProperty } from "../../document/spelled-values.js";
import { homeOfContent } from "../../meant/homes.js";
import { capitalized, joined } from "../../words/wording.js";
import { quoted } from "../show-value.js";
import { holderOf, thing } from "../thing.js";
import type { Mistake, Scene } from "./retold.js";
import type { SchemaError } from "../validator.js";

/** What has sections of things that have names. */
const owners = new Set(["", "/workflow", "/agents"]);

/** States, agents or prompts that stand where their section is missing: that is one fault. */
export function* flatSections(errors: readonly SchemaError[], { nodeAt }: Scene): Iterable<Mistake> {
  for (const error of errors) {
    if (error.keyword !== "required" || !owners.has(error.instancePath)) continue;
    const node = nodeAt(error.instancePath);
    if (node?.kind !== "mapping") continue;
    const section = String(error.params["missingProperty"]);
    const flat = errors.filter(
      (other) => isUnknownIn(error, other) && homeIn(node, nameIn(other), nodeAt) === section,
    );
    if (flat.length === 0) continue;
    yield { told: error, said: wordsOf(thing(node), section, flat.map(nameIn)), implied: flat };
  }
}

function isUnknownIn({ instancePath }: SchemaError, other: SchemaError): boolean {
  return other.keyword === "additionalProperties" && other.instancePath === instancePath;
}

function nameIn({ params }: SchemaError): string {
  return String(params["additionalProperty"]);
}

/** The section to which an unknown property belongs. An agent needs nothing but the name of a prompt. */
function homeIn(
  node: MappingNode,
  name: string,
  nodeAt: (path: string) => Node | undefined,
): string | undefined {
  const holder = holderOf(node);
  const value = node.get(name);
  const home = homeOfContent((property) => hasProperty(value, property), holder);
  if (home !== undefined || holder !== "agents") return home;
  return hasProperty(nodeAt("/prompts"), name) ? "members" : undefined;
}

/** More names than this say no more. */
const mostNames = 5;

function wordsOf(owner: string, section: string, names: readonly string[]): Words {
  const shown = names.slice(0, mostNames).map(quoted);
  if (shown.length < names.length) shown.push(`${names.length - shown.length} more`);
  return {
    message: `${capitalized(owner)} has no ${quoted(section)}.`,
    advice: `Add it, and put ${joined(shown, "and")} inside.`,
  };
}
