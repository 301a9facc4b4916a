import { getOrMake } from "../maps/get-or-make.js";
import type { Respelling } from "../template/jinja-blocks.js";
import type { Reference } from "../template/read-template.js";
import type { Pack } from "./pack.js";
import type { Prompt } from "./prompt.js";
import type { TemplateText } from "./template-text.js";

/**
 * What looks like the use of something: how it is written in the manner of another template syntax, and how it should be;
 * or that YAML takes it for a comment.
 */
export type SeemingUse = Respelling | "comment";

/** By a name or a path. */
export type SeemingUses = (path: string) => SeemingUse | undefined;

/** In all templates of a pack. */
export function seemingUsesIn(pack: Pack): SeemingUses {
  return usesIn(
    pack.templates.all.map(({ text }) => text),
    pack,
  );
}

/** In the templates of prompts alone. */
export function seemingUsesInPrompts(pack: Pack): SeemingUses {
  return usesIn(
    [...pack.prompts.values()].flatMap(({ templates }) => templates),
    pack,
  );
}

function usesIn(texts: Iterable<TemplateText>, { delimiters }: Pack): SeemingUses {
  const all = [...texts];
  const written = new Map(all.flatMap(({ foreign }) => [...foreign]));
  const commented = new Set(all.flatMap(({ referencesInComment }) => referencesInComment.map(pathOf)));
  return (path) => {
    const found = written.get(path);
    if (found !== undefined && delimiters !== undefined)
      return { right: delimiters.open + path + delimiters.close, written: found };
    return commented.has(path) ? "comment" : undefined;
  };
}

function pathOf({ kind, name }: Reference): string {
  return kind === "name" ? name : `${kind}s.${name}`;
}

/** Fragments followed over all prompts: a chain of them under every prompt would be quadratic. */
const mostFollowed = 200_000;

/** Of variables, in the templates of one prompt and the fragments that it includes, in whatever delimiters. */
export function seemingUsesByPrompt(pack: Pack): (prompt: Prompt) => SeemingUses {
  const known = new Map<Prompt, SeemingUses>();
  let followed = 0;
  const find = ({ templates, declared }: Prompt): SeemingUses => {
    const texts = new Set(templates);
    // The set grows while it is walked.
    for (const text of texts) {
      for (const name of namesIn(text)) {
        if (++followed > mostFollowed) return () => undefined;
        const included = declared.has(name) ? undefined : pack.fragments.get(name)?.template;
        if (included !== undefined) texts.add(included);
      }
    }
    const [uses, paths] = [usesIn(texts, pack), pathsByHead(texts)];
    return (name) => uses(name) ?? uses(paths.get(name) ?? "");
  };
  return (prompt) => {
    return getOrMake(known, prompt, () => find(prompt));
  };
}

/** No call, as in `${user.name.trim()}`: a template would not make one. */
const plainPath = /^(?!(?:artifacts|fragments)\.)(\w+)(?:\.\w+|\[\d+\])+$/;

/** `customer.name` for `customer`. */
function pathsByHead(texts: Iterable<TemplateText>): ReadonlyMap<string, string> {
  const paths = [...texts].flatMap(({ foreign }) => [...foreign.keys()]);
  return new Map(paths.map((path) => [plainPath.exec(path)?.[1] ?? path, path]));
}

/** What may be fragments. */
function namesIn({ template, foreign }: TemplateText): readonly string[] {
  const names = template.references.flatMap(({ kind, name }) => (kind === "artifact" ? [] : name));
  return [...names, ...[...foreign.keys()].map((path) => path.replace(/^fragments\./, ""))];
}
