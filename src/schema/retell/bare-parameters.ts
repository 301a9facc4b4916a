import type { Words } from "../../diagnostic.js";
import type { Node } from "../../document/node.js";
import { stringOf } from "../../document/spelled-values.js";
import { homeOf } from "../../meant/homes.js";
import { joined } from "../../words/wording.js";
import { shapeOf } from "../json-schema-keywords.js";
import { without } from "../merge-errors.js";
import { quoted } from "../show-value.js";
import { type Retold, type Scene, unknownByPath } from "./retold.js";
import type { SchemaError } from "../validator.js";

const tool = /^\/tools\/[^/]+$/;
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

/** The schema of the parameters directly in the tool, for want of the line with `parameters`: that is one fault, too. */
export function withoutSpreadParameters(errors: readonly SchemaError[], { nodeAt }: Scene): Retold {
  const words = new Map<SchemaError, Words>();
  const dropped = new Set<SchemaError>();
  for (const [path, unknown] of unknownByPath(errors)) {
    const node = unknown.has("properties") && tool.test(path) ? nodeAt(path) : undefined;
    if (node?.kind !== "mapping" || node.get("parameters") !== undefined) continue;
    const isTyped = stringOf(node.get("type")) === "object";
    const isPart = (name: string) =>
      homeOf(name, "tool", node.get(name)?.kind) === "parameters" || (isTyped && name === "type");
    const parts = [...unknown].filter(([name]) => isPart(name));
    const [first, ...more] = parts.map(([, error]) => error);
    if (first === undefined) continue;
    words.set(
      first,
      spreadWords(
        parts.map(([name]) => name),
        isTyped,
      ),
    );
    for (const error of more) dropped.add(error);
  }
  return { errors: without(errors, dropped), words };
}

function spreadWords(names: readonly string[], isTyped: boolean): Words {
  const isOne = names.length === 1;
  const claim = isOne ? "is not a property" : "are not properties";
  const type = isTyped ? "" : ', with a "type" of "object"';
  return {
    message: `${joined(names.map(quoted), "and")} ${claim} of a tool.`,
    advice: `Put ${isOne ? "it" : "them"} inside "parameters"${type}.`,
  };
}

function areBare(node: Node | undefined): boolean {
  if (node?.kind !== "mapping" || node.entries.length === 0) return false;
  return node.entries.every(({ key, value }) => shapeOf(key.text, "") === undefined && isSchema(value));
}

function isSchema(node: Node): boolean {
  return node.kind === "mapping" && node.entries.some(({ key }) => shapeOf(key.text, "") !== undefined);
}
