import type { Document } from "../../document/document.js";
import { addEntries } from "../../document/edit/edit.js";
import type { NewEntry } from "../../document/edit/new-entry.js";
import { asMapping, LocatedString } from "../../document/spelled-values.js";
import type { ArtifactUse } from "../../pack/artifacts.js";
import type { State } from "../../pack/workflow.js";
import { listNames } from "../../words/wording.js";
import { unsafeFix, type WithFix } from "./with-fix.js";

/** Declares artifacts in a state as the first state that has them does. */
export function declareArtifactsFix(
  document: Document,
  state: State,
  names: readonly string[],
  { declared }: ArtifactUse,
): WithFix {
  const entries = names.flatMap((name) => copyDeclaration(name, declared) ?? []);
  if (state.node === undefined || entries.length < names.length) return {};
  const present = asMapping(state.node.get("artifacts"));
  const edits =
    present === undefined
      ? addEntries(document, state.node, [{ name: "artifacts", value: entries }])
      : addEntries(document, present, entries);
  return unsafeFix(`Declare ${listNames(names)} in "${state.name.text}".`, edits);
}

const copiedFields = new Set(["type", "description", "mode"]);
/** Of a name and of each field: a hostile file could have them written into thousands of states. */
const maxCopiedLength = 2_000;

function copyDeclaration(name: string, declared: ArtifactUse["declared"]): NewEntry | undefined {
  const artifact = declared.get(name)?.[0]?.artifact;
  if (artifact?.type === undefined || artifact.node === undefined)
    return undefined;
  const value = artifact.node.entries.flatMap(({ key, value: node }) => {
    const text = copiedFields.has(key.text) ? LocatedString.of(node) : undefined;
    return text === undefined ? [] : [{ name: key.text, value: text.text }];
  });
  return [name, ...value.map((field) => field.value)].every(({ length }) => length <= maxCopiedLength)
    ? { name, value }
    : undefined;
}
