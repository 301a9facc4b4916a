import type { Span } from "../diagnostic.js";
import { stringOf } from "../document/node.js";
import type { Variable } from "../pack/variable.js";
import { defaultSyntax, type Syntax } from "../template/read-template.js";
import type { FragmentForm, PlaceholderForm, Runtime } from "./runtime.js";

/** Whatever stands between delimiters. */
export interface Placeholder extends Span {
  readonly source: string;
  /** Without delimiters, and without the blanks beside them. */
  readonly content: string;
  readonly form: PlaceholderForm;
}

type Names = Pick<ReadonlyMap<string, unknown>, "has">;

/** The names that decide what a placeholder is. */
export type TemplateNames = Readonly<Record<"variables" | "fragments" | "artifacts", Names>>;

/** In time linear in the length of the text. Of delimiters that are nested, the innermost count. */
export function* placeholdersIn(
  text: string,
  { open, close }: Syntax,
  names: TemplateNames,
): Generator<Placeholder> {
  for (let at = text.indexOf(open); at !== -1;) {
    const closing = text.indexOf(close, at + open.length);
    if (closing === -1) return;
    const start = text.lastIndexOf(open, closing - open.length);
    const end = closing + close.length;
    const inside = text.slice(start + open.length, closing);
    const content = inside.trim();
    yield { start, end, source: text.slice(start, end), content, form: formOf(inside, content, names) };
    at = text.indexOf(open, end);
  }
}

const plainName = /^[A-Za-z_]\w*$/;
const fragmentPrefix = /^(?:fragments\.|fragment:|>)/;
const artifactPrefix = "artifacts.";
/** The tags of blocks, and what only means something inside of one. */
const blockTag = /^(?:[#/^@]|(?:else|elif|elseif|elsif)(?:\s|$)|this(?:\.|$))/;
const pathOnly = /^[A-Za-z_][\w.[\]"'-]*$/;

function formOf(
  inside: string,
  content: string,
  { variables, fragments, artifacts }: TemplateNames,
): PlaceholderForm {
  const bare = inside === content ? "variable" : "blanks";
  if (variables.has(content)) return bare;
  if (fragments.has(content) || fragmentPrefix.test(content)) return "fragment";
  if (content.startsWith(artifactPrefix)) {
    const name = content.slice(artifactPrefix.length);
    if (artifacts.has(name) || plainName.test(name)) return inside === content ? "artifact" : "blanks";
  }
  if (content.startsWith("!")) return "comment";
  if (blockTag.test(content)) return "block";
  if (plainName.test(content)) return bare;
  if (pathOnly.test(content)) return "path";
  return /^[A-Za-z_][\w.]*\s*\|/.test(content) ? "filter" : "other";
}

/** The form of a placeholder that a runtime does not fill; undefined if it does, once something binds the name. */
export function unfilledForm(
  { facts }: Runtime,
  { form, content, source }: Placeholder,
  { open }: Syntax,
): PlaceholderForm | undefined {
  const { forms, delimiters } = facts.placeholders.value;
  if (delimiters === "{{ and }}" && open !== defaultSyntax.open) return "delimiters";
  if (form === "fragment")
    return source === fragmentSource(facts.fragments.value, content) ? undefined : form;
  // If the runtime leaves it alone, it may be ordinary text.
  if (form === "other" && facts.leftover.value === "left as it is") return undefined;
  return forms.includes(form) ? undefined : form;
}

/** How a runtime reads the fragment that a placeholder includes; undefined if it reads none. */
export function fragmentSource(form: FragmentForm | "never", content: string): string | undefined {
  return form === "never" ? undefined : form.replace("name", () => fragmentName(content));
}

export function fragmentName(content: string): string {
  return content.replace(fragmentPrefix, "").trim();
}

export interface Filled {
  readonly text: string;
  /** The placeholders that nothing filled, without duplicates. */
  readonly left: readonly string[];
}

/** Longer texts are not filled any further. */
const maxLength = 200_000;

/** The text that a runtime sends. `values` has artifacts as `artifacts.name`. */
export function fill(
  runtime: Runtime,
  template: string,
  declared: Syntax,
  names: TemplateNames,
  values: ReadonlyMap<string, string>,
): Filled {
  const { delimiters, passes } = runtime.facts.placeholders.value;
  const syntax = delimiters === "{{ and }}" ? defaultSyntax : declared;
  let text = template;
  for (let pass = 0; pass < passes && text.length <= maxLength; pass++) {
    let filled = "";
    let at = 0;
    for (const placeholder of placeholdersIn(text, syntax, names)) {
      if (unfilledForm(runtime, placeholder, syntax) !== undefined) continue;
      const value = values.get(placeholder.content);
      if (value === undefined) continue;
      filled += text.slice(at, placeholder.start) + value;
      at = placeholder.end;
      if (filled.length > maxLength) break;
    }
    if (at === 0) break;
    text = filled + text.slice(at);
  }
  const left = new Set(Array.from(placeholdersIn(text, syntax, names), ({ source }) => source));
  const isUnfilled = left.size > 0 && runtime.facts.leftover.value === "all unfilled";
  return { text: isUnfilled ? template : text, left: [...left] };
}

/** Whether a handover binds a variable. */
export function isKeptAtHandover({ required, default: value }: Variable): boolean {
  return required?.value !== true && stringOf(value) !== undefined;
}
