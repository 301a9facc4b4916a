import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Node } from "../../src/document/node.js";
import type { Files } from "./memory-project.js";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** The files of a project in fixtures, in its folder "desk". */
export function filesOf(folder: string): Files {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.includes("."),
  );
  return Object.fromEntries(
    names
      .filter((name) => /\.(?:ya?ml|json|md|txt)$/u.test(name))
      .map((name) => [`desk/${name.replaceAll("\\", "/")}`, readFileSync(join(folder, name), "utf8")]),
  );
}

/** One slip in one value of a file. */
export interface Slip {
  readonly how:
    "wrong type" | "empty" | "unknown key" | "removed" | "repeated key" | "misspelt key" | "misspelt";
  readonly pointer: string;
}

const unknownKey = "qqzzqq";

export function slipsIn(root: Node): readonly Slip[] {
  return [...nodesIn(root)].flatMap((node): readonly Slip[] => {
    const { pointer, key } = node;
    const hows: Slip["how"][] = [];
    if (pointer !== "") hows.push("wrong type", "removed");
    if (node.kind === "scalar" && typeof node.value === "string") {
      hows.push("empty");
      if (/^[a-z][\w-]{3,}$/iu.test(node.value)) hows.push("misspelt");
    }
    if (node.kind === "mapping") hows.push("unknown key");
    if (key !== null && typeof key === "object") hows.push("repeated key", "misspelt key");
    return hows.map((how) => ({ how, pointer }));
  });
}

export function* nodesIn(node: Node): Iterable<Node> {
  yield node;
  if (node.kind === "sequence") for (const item of node.items) yield* nodesIn(item);
  if (node.kind === "mapping") for (const { value } of node.entries) yield* nodesIn(value);
}

function misspelt(name: string): string {
  return name.length < 4 ? `${name}z` : name.slice(0, 2) + name.slice(3);
}

/** Where the slip is to be reported, of a value with this pointer. */
export function placeOf({ how }: Slip, pointer: string): string {
  if (how === "unknown key") return `${pointer}/${unknownKey}`;
  if (how !== "misspelt key") return pointer;
  return pointer.replace(/[^/]*$/u, (name) => misspelt(name));
}

const wrong = (value: Json): Json =>
  Array.isArray(value) || (typeof value === "object" && value) ? 7.5 : [7.5];

/** The text of a value with one slip, in JSON. */
export function withSlip(root: Json, { how, pointer: at }: Slip): string {
  const write = (value: Json, pointer: string): string => {
    const isHere = pointer === at;
    if (isHere && how === "wrong type") return JSON.stringify(wrong(value));
    if (isHere && how === "empty") return '""';
    if (isHere && how === "misspelt") return JSON.stringify(misspelt(value as string));
    if (typeof value !== "object" || value === null) return JSON.stringify(value);
    if (Array.isArray(value)) {
      const items = (value as readonly Json[]).flatMap((item, index) => {
        const inner = `${pointer}/${index}`;
        return inner === at && how === "removed" ? [] : write(item, inner);
      });
      return `[${items.join(", ")}]`;
    }
    const entries = Object.entries(value).flatMap(([name, each]) => {
      const inner = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      const text = write(each, inner);
      if (inner !== at) return `${JSON.stringify(name)}: ${text}`;
      if (how === "removed") return [];
      if (how === "misspelt key") return `${JSON.stringify(misspelt(name))}: ${text}`;
      if (how === "repeated key")
        return [`${JSON.stringify(name)}: ${text}`, `${JSON.stringify(name)}: ${text}`];
      return `${JSON.stringify(name)}: ${text}`;
    });
    if (isHere && how === "unknown key") entries.push(`"${unknownKey}": 1`);
    return `{${entries.join(",\n")}}`;
  };
  return `${write(root, "")}\n`;
}
