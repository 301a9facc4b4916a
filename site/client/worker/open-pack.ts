import { detectFormat } from "../../../src/document/file-format.js";
import { readDocument } from "../../../src/document/read.js";
import { type DrawablePack, isDrawable } from "../../../src/drawing/build-picture.js";
import { buildMachine, type Machine } from "../../../src/machine/machine.js";
import { readPack } from "../../../src/pack/read-pack.js";
import { resolveSpec } from "../../../src/schema/spec-version.js";

export interface OpenedPack {
  readonly pack: DrawablePack;
  readonly machine: Machine;
}

/** A pack whose workflow has states, or why there is none. */
export function openPack(text: string): OpenedPack | { readonly missing: string } {
  const document = readDocument(text, detectFormat(undefined, text));
  const { root } = document;
  if (root?.kind !== "mapping") return { missing: "The pack cannot be read; the findings say why." };
  const pack = readPack(document, root, resolveSpec(root));
  if (!isDrawable(pack)) return { missing: "The pack has no workflow with states." };
  return { pack, machine: buildMachine(pack.workflow) };
}
