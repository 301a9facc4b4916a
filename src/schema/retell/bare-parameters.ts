import type { Words } from "../../diagnostic.js";
import type { Node } from "../../document/node.js";
import { shapeOf } from "../json-schema-keywords.js";
import type { Retold, Scene } from "./retold.js";
import type { SchemaError } from "../validator.js";

const parametersOfTool = /^\/tools\/[^/]+\/parameters$/;

const bare: Words = {
  message: '"parameters" has no "properties" and no "type".',
  advice: 'Put what is inside it under "properties", and add a "type" of "object".',
};

/** Parameters of a tool that are not wrapped in a schema lack two things, and that is one fault. */
export function withoutBareParameters(errors: readonly SchemaError[], { nodeAt }: Scene): Retold {
  const words = new Map<SchemaError, Words>();
  const told = new Set<string>();
  const kept = errors.filter((error) => {
    const { instancePath, keyword } = error;
    if (keyword !== "required" || !parametersOfTool.test(instancePath)) return true;
    if (!areBare(nodeAt(instancePath))) return true;
    if (told.has(instancePath)) return false;
    told.add(instancePath);
    words.set(error, bare);
    return true;
  });
  return { errors: kept, words };
}

function areBare(node: Node | undefined): boolean {
  if (node?.kind !== "mapping" || node.entries.length === 0) return false;
  return node.entries.every(({ key, value }) => shapeOf(key.text, "") === undefined && isSchema(value));
}

function isSchema(node: Node): boolean {
  return node.kind === "mapping" && node.entries.some(({ key }) => shapeOf(key.text, "") !== undefined);
}
