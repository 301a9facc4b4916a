import type { PackAnalysis } from "../analysis.js";
import type { Span } from "../diagnostic.js";
import { asMapping, Key, stringOf } from "../document/node.js";
import type { Format } from "../document/file-format.js";
import { boundText } from "../inspect/inspection-text.js";
import { type NamedEntity, namesIn } from "../pack/name-index.js";
import { escapeInvisible, fenced } from "../text/escape.js";
import { typedPlaceAt } from "./half-typed.js";
import { inspectionOf } from "./outline.js";
import type { PathInSchema } from "./source-path.js";
import { documentation, formOfKey } from "./schema-keys.js";
import { maskSecrets } from "../text/secrets.js";

const maxFacts = 20;
const maxLines = 8;
const maxLength = 200;
const maxProse = 1_000;
const shownApart = ["description", "system_template"];

export interface Explanation {
  readonly at: Span;
  readonly text: string;
  /** Whether offsets count in the text of the whole pack, rather than in that of the file. */
  readonly isOfPack: boolean;
}

/** Explains the name at an offset, in Markdown. */
export function hoverName(analysis: PackAnalysis, offset: number): Explanation | undefined {
  const named = namesIn(analysis.pack).placeAt(offset);
  if (named === undefined) return undefined;
  const texts = [...named.entities].map((entity) => describe(entity, analysis));
  return { at: named.at, text: texts.join("\n\n---\n\n"), isOfPack: true };
}

/** Explains the key at an offset of a file. */
export function hoverKey(
  text: string,
  offset: number,
  format: Format,
  formsFor: (path: readonly string[]) => PathInSchema,
): Explanation | undefined {
  const { path: written, expects, word } = typedPlaceAt(text, offset, format);
  const { path, schema } = formsFor(written);
  const key = text.slice(word.start, word.end);
  const form = expects === "value" ? undefined : formOfKey(schema, path, key);
  return form && { at: word, text: `**${key}**\n\n${documentation(form)}`, isOfPack: false };
}

function describe(entity: NamedEntity, analysis: PackAnalysis): string {
  const { kind, name } = entity;
  const [declared] = entity.declarations;
  const value = declared instanceof Key ? declared.value : declared.node.parent;
  const node = asMapping(value ?? undefined);
  const description = stringOf(node?.get("description"));
  const template = kind === "fragment" && value ? stringOf(value) : stringOf(node?.get("system_template"));
  const fields = (node?.entries ?? []).flatMap(({ key, value: field }) =>
    field.kind === "scalar" && !shownApart.includes(key.text)
      ? [`${key.text}: ${code(String(field.value))}`]
      : [],
  );
  const facts = [...fields, ...factsAbout(entity, analysis)].slice(0, maxFacts);
  return [
    `**${kind}** ${code(name)}`,
    ...(description === undefined ? [] : [prose(description)]),
    ...(facts.length === 0 ? [] : [facts.map((fact) => `- ${fact}`).join("\n")]),
    ...(template === undefined ? [] : [firstLines(template)]),
  ].join("\n\n");
}

/** Facts from elsewhere: the declaration does not contain them. */
function factsAbout({ kind, name }: NamedEntity, analysis: PackAnalysis): readonly string[] {
  const { pack } = analysis;
  const steps = kind === "composition" ? pack.compositions.get(name)?.steps : undefined;
  if (steps !== undefined) return steps.map(({ id, kindText }) => `${code(id.text)}: ${kindText}`);
  const declared = kind === "artifact" ? pack.artifacts.declared.get(name) : undefined;
  if (declared !== undefined) return declared.map(({ state }) => `from state ${code(state.name.text)}`);
  const state = kind === "state" ? pack.workflow?.stateNamed(name) : undefined;
  if (state === undefined) return [];
  const { transitions, index } = state;
  const inspection = inspectionOf(analysis);
  const visits = inspection && boundText(inspection.states[index]?.worstCaseVisits ?? null, inspection);
  return [
    ...transitions.map(({ event, target }) => `${code(event.text)} → ${code(target?.text ?? "?")}`),
    `most visits: ${visits ?? "not known"}`,
  ];
}

function firstLines(text: string): string {
  const lines = maskSecrets(text).trimEnd().split(/\r?\n/);
  const shown = lines.slice(0, maxLines).map((line) => visible(line));
  return fenced("", lines.length > shown.length ? [...shown, "…"] : shown).join("\n");
}

function code(text: string): string {
  return `\`${visible(text).replaceAll("`", "'")}\``;
}

/** Text from the file, which may not add links, images or HTML. */
function prose(text: string): string {
  return visible(text.trim().replace(/\s+/g, " "), maxProse).replace(/[[<]/g, "\\$&");
}

function visible(whole: string, most = maxLength): string {
  const text = maskSecrets(whole);
  return escapeInvisible(text.length > most ? `${text.slice(0, most)}…` : text);
}
