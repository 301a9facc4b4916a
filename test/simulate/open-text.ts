import { readDocument } from "../../src/document/read.js";
import { findFacts } from "../../src/machine/exact-facts.js";
import type { Facts } from "../../src/machine/facts.js";
import { buildMachine } from "../../src/machine/machine.js";
import { type Pack, readPack } from "../../src/pack/pack.js";
import { resolveSpec } from "../../src/schema/spec-version.js";
import type { Workflow } from "../../src/pack/workflow.js";

/** A pack from its YAML or JSON text. */
export function packOf(text: string): Pack {
  const document = readDocument(text, "yaml");
  if (document.root?.kind !== "mapping") throw new Error("the text is no pack");
  return readPack(document, document.root, resolveSpec(document.root));
}

/** A pack that has a workflow, and what its runs can do. */
export function workflowOf(text: string): { pack: Pack; workflow: Workflow; facts: Facts } {
  const pack = packOf(text);
  if (pack.workflow === undefined) throw new Error("the pack has no workflow");
  return { pack, workflow: pack.workflow, facts: findFacts(buildMachine(pack.workflow)) };
}
