import type { Words } from "../diagnostic.js";
import type { Node } from "../document/node.js";
import { stringOf } from "../document/spelled-values.js";
import { homeOf, homeOfContent, isAroundArtifact, isSection } from "../meant/homes.js";
import { meantProperty } from "../meant/meant-property.js";
import { isStrayEvent } from "../meant/meant-state.js";
import { saysEnd } from "../meant/says-end.js";
import { isOfOtherForm, mixedForms } from "./mixed-forms.js";
import { meantAdvice, quoted } from "./show-value.js";
import { besideArtifacts } from "./retell/stray-state.js";
import { holderOf, kindOfThing, nounOf } from "./thing.js";
import type { SchemaError, SchemaPart } from "./validator.js";
import type { Vocabulary } from "./vocabulary.js";
import { gluedAdvice } from "./value-advice.js";

/** What is known around an error. */
export interface Surrounding {
  readonly root: Node;
  /** What the things of another schema are called. */
  readonly words?: Vocabulary | undefined;
  /** What to do about the error, where it is known already. */
  readonly advice?: string | undefined;
  /** A thing that may have several forms, and those that it was not given. */
  readonly otherForms?: { readonly of: Node; readonly schemas: readonly SchemaPart[] };
}

/** What to say of a property that a thing does not have. */
export function unknownProperty(
  name: string,
  { parentSchema }: SchemaError,
  node: Node,
  { root, words, otherForms, advice }: Surrounding,
): Words {
  const kind = kindOfThing(node, words);
  const message = `${quoted(name)} is not a property of ${kind}.`;
  if (advice !== undefined) return { message, advice };
  const known = Object.keys(parentSchema.properties ?? {});
  const others = otherForms?.of === node ? otherForms.schemas : [];
  if (node.kind === "mapping" && isOfOtherForm(name, others))
    return mixedForms(node, parentSchema, others, kind);
  const value = node.kind === "mapping" ? node.get(name) : undefined;
  const glued = value && gluedAdvice(value);
  if (glued !== undefined) return { message, advice: glued };
  const isOfPack = words === undefined && isSection(name, value?.kind);
  const has = (property: string) => value !== undefined && hasProperty(value, property);
  const home = isOfPack ? "" : words === undefined ? homeIn(name, has, holderOf(node)) : undefined;
  if (home !== undefined && !(home === "" && hasProperty(root, name)))
    return { message, advice: belongsInside(home) };
  if (words === undefined && nounOf(node) === "artifact" && isAroundArtifact(name))
    return { message, advice: besideArtifacts(name, node.parent) };
  const meant = meantAdvice(meantIn(node, name, known));
  const entry = node.kind === "mapping" && nounOf(node) === "state" ? node.entry(name) : undefined;
  if (entry !== undefined && saysEnd(entry)) return { message, advice: "Write terminal: true instead." };
  const isEvent = node.kind === "mapping" && entry !== undefined && isStrayEvent(node, entry);
  return { message, advice: meant ?? (isEvent ? belongsInside("on_event") : undefined) };
}

function homeIn(
  name: string,
  has: (property: string) => boolean,
  holder: string | undefined,
): string | undefined {
  return homeOf(name, holder) ?? homeOfContent(has, holder);
}

/** Of a text, `min` is the length. */
function meantIn(node: Node, name: string, known: readonly string[]): string | undefined {
  const { parent } = node;
  const absent = known.filter((property) => !hasProperty(node, property));
  const isText = parent?.kind === "mapping" && stringOf(parent.get("type")) === "string";
  const fits = (property: string) => property !== "minimum" && property !== "maximum";
  return (isText ? meantProperty(name, absent.filter(fits)) : undefined) ?? meantProperty(name, absent);
}

function belongsInside(home: string): string {
  if (home === "") return "It belongs at the top level of the pack.";
  if (home.endsWith("states.*")) return "It belongs inside a state.";
  return `It belongs inside ${home === "prompts.*" ? "a prompt" : quoted(home)}.`;
}

function hasProperty(node: Node, name: string): boolean {
  return node.kind === "mapping" && node.get(name) !== undefined;
}
