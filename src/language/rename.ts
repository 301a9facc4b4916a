import { type Analysis, hasPack } from "../analysis.js";
import type { Span, TextEdit } from "../diagnostic.js";
import { renameKey, replaceText } from "../document/edit.js";
import { Key, LocatedString } from "../document/node.js";
import { applyEdits } from "../fix/apply-edits.js";
import { toolMentions } from "../pack/mentions.js";
import { type NamedEntity, type NameIndex, namesIn } from "../pack/name-index.js";
import type { Pack } from "../pack/pack.js";
import { BadInput } from "../text/wording.js";
import type { SchemaPart } from "../schema/validator.js";
import { formsAt } from "./schema-keys.js";

/** Hosts, reports and files know these by name, too. */
const fixedKinds: readonly string[] = ["provider", "eval", "skill"];

/** The name at an offset. Throws `BadInput` if it cannot be renamed. */
export function findRenameTarget(pack: Pack, offset: number) {
  const index = namesIn(pack);
  const place = index.placeAt(offset);
  const kinds = new Set([...(place?.entities ?? [])].map(({ kind }) => kind));
  const [kind] = kinds;
  if (place === undefined || kind === undefined || fixedKinds.includes(kind))
    throw new BadInput(
      "There is nothing to rename here: choose the name of a state, prompt, tool, fragment, variable, artifact, composition or step.",
    );
  if (kinds.size > 1)
    throw new BadInput("This place stands for things of different kinds: rename each of them by hand.");
  return { at: place.name, name: textAt(place.name, index), kind, entities: sharing(place.entities, index) };
}

/** The edits that rename what an offset names, everywhere. Throws `BadInput` if that would break the pack. */
export async function rename(
  pack: Pack,
  offset: number,
  newName: string,
  schema: SchemaPart,
  analyze: (text: string) => Promise<Analysis>,
): Promise<readonly TextEdit[]> {
  const target = findRenameTarget(pack, offset);
  const { name, kind, entities } = target;
  const index = namesIn(pack);
  if (newName === name) return [];
  requireUsable(newName, kind, schema);
  const scopes = new Set<object>([...entities].map(({ scope }) => scope));
  const isTaken = index.ofKind(kind).some((other) => other.name === newName && scopes.has(other.scope));
  if (isTaken || (kind === "tool" && pack.toolUse.toolNamed(newName) !== undefined))
    throw new BadInput(`There is already ${kind === "artifact" ? "an" : "a"} ${kind} "${newName}".`);
  const edits = new Map(editsFor(target, newName, pack).map((edit) => [edit.start, edit]));
  const renamed = [...edits.values()].sort((a, b) => a.start - b.start);
  const after = await analyze(applyEdits(pack.document.text, renamed));
  if (!hasPack(after) || namesIn(after.pack).shape !== index.shape)
    throw new BadInput(
      `With the name "${newName}", some places would no longer stand for what they do now: choose another.`,
    );
  return renamed;
}

/** A fragment may read a variable of several prompts, which then have to keep one name. */
function sharing(entities: ReadonlySet<NamedEntity>, index: NameIndex): ReadonlySet<NamedEntity> {
  const all = new Set(entities);
  for (let size = 0; size < all.size;) {
    size = all.size;
    for (const use of index.usesOf(all)) for (const entity of use.entities) all.add(entity);
  }
  return all;
}

function editsFor(
  { name, kind, entities }: ReturnType<typeof findRenameTarget>,
  newName: string,
  pack: Pack,
): readonly TextEdit[] {
  const index = namesIn(pack);
  const { document, templates } = pack;
  const declarations = [...entities].flatMap((entity) => entity.declarations);
  // A tool may have a second name, for the model.
  const places = [...declarations, ...index.usesOf(entities).map((use) => use.name)].filter(
    (place) => textAt(place, index) === name,
  );
  const mentions = kind !== "tool" ? [] : templates.all.flatMap(({ text }) => [...toolMentions(text, pack)]);
  const mentioned = mentions.map(({ source, start, end }) => source.placeOf({ start, end }));
  return [...places, ...mentioned.filter((place) => textAt(place, index) === name)].flatMap((place) => {
    const edits =
      place instanceof Key
        ? renameKey(document, place, newName)
        : place instanceof LocatedString
          ? replaceText(document, place.node, newName)
          : [{ start: place.start, end: place.end, text: newName }];
    if (edits !== undefined) return edits;
    const { line } = document.lines.position(place.start);
    throw new BadInput(
      `"${name}" is repeated by an alias or a merge key in line ${line}: rename it by hand.`,
    );
  });
}

function textAt(place: Span, { pack }: NameIndex): string {
  if (place instanceof Key || place instanceof LocatedString) return place.text;
  return pack.document.text.slice(place.start, place.end);
}

/** Where the schema limits names. */
const namePaths: Readonly<Record<string, readonly string[]>> = {
  prompt: ["prompts", "*", "id"],
  tool: ["tools", "*", "name"],
  variable: ["prompts", "*", "variables", "*", "name"],
  step: ["compositions", "*", "steps", "*", "id"],
};

function requireUsable(name: string, kind: string, schema: SchemaPart): void {
  if (name.trim() === "") throw new BadInput("A name cannot be empty.");
  const path = namePaths[kind];
  for (const { pattern, patternErrorMessage = "" } of path === undefined ? [] : formsAt(schema, path))
    if (pattern !== undefined && !new RegExp(pattern).test(name))
      throw new BadInput(`"${name}" cannot be the name of a ${kind}: use ${patternErrorMessage}.`);
}
