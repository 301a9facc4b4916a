import type { Words } from "../../diagnostic.js";
import type { Node } from "../../document/node.js";
import { stringOf } from "../../document/spelled-values.js";
import { homeOf } from "../../meant/homes.js";
import { joined } from "../../words/wording.js";
import { shapeOf } from "../json-schema/json-schema-keywords.js";
import { quoted } from "../show-value.js";
import { type Mistake, missingByPath, type Scene, unknownByPath } from "./retold.js";
import type { SchemaError } from "../validator.js";

const tool = /^\/tools\/[^/]+$/;
const parametersOfTool = /^\/tools\/[^/]+\/parameters$/;

const bare: Words = {
  message: '"parameters" has no "properties" and no "type".',
  advice: 'Put what is inside it under "properties", and add a "type" of "object".',
};

/** Parameters of a tool that are not wrapped in a schema lack two things, and that is one fault. */
export function* bareParameters(errors: readonly SchemaError[], { nodeAt }: Scene): Iterable<Mistake> {
  for (const [path, lacking] of missingByPath(errors)) {
    if (!parametersOfTool.test(path) || !areBare(nodeAt(path))) continue;
    const [told, ...implied] = lacking.values();
    yield { told, said: bare, implied };
  }
}

/** The schema of the parameters directly in the tool, for want of the line with `parameters`: that is one fault, too. */
export function* spreadParameters(errors: readonly SchemaError[], { nodeAt }: Scene): Iterable<Mistake> {
  for (const [path, unknown] of unknownByPath(errors)) {
    const node = unknown.has("properties") && tool.test(path) ? nodeAt(path) : undefined;
    if (node?.kind !== "mapping" || node.get("parameters") !== undefined) continue;
    const isTyped = stringOf(node.get("type")) === "object";
    const isPart = (name: string) =>
      homeOf(name, "tool", node.get(name)?.kind) === "parameters" || (isTyped && name === "type");
    const parts = [...unknown].filter(([name]) => isPart(name));
    const names = parts.map(([name]) => name);
    const [told, ...implied] = parts.map(([, error]) => error);
    yield { told, said: spreadWords(names, isTyped), implied };
  }
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
