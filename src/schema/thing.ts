import { Key, type Node } from "../document/node.js";
import { quoted } from "./show-value.js";

/** What a part of a pack is called, and where it has its name: its key, or one of its properties. */
interface Role {
  readonly noun: string;
  readonly named?: "key" | readonly string[];
}

/** By path; a name goes before `*`. */
const roles: Readonly<Record<string, Role | undefined>> = {
  "": { noun: "pack" },
  "/template_engine": { noun: "template engine" },
  "/prompts/*": { noun: "prompt", named: "key" },
  "/prompts/*/variables/*": { noun: "variable", named: ["name"] },
  "/prompts/*/validators/*": { noun: "validator", named: ["type"] },
  "/prompts/*/evals/*": { noun: "eval", named: ["id"] },
  "/prompts/*/tested_models/*": { noun: "tested model", named: ["model"] },
  "/prompts/*/model_overrides/*": { noun: "model override", named: "key" },
  "/prompts/*/pipeline/middleware/*": { noun: "middleware", named: ["type"] },
  "/prompts/*/media/*": { noun: "media type", named: "key" },
  "/prompts/*/media/enabled": undefined,
  "/prompts/*/media/supported_types": undefined,
  "/prompts/*/media/image": undefined,
  "/prompts/*/media/audio": undefined,
  "/prompts/*/media/video": undefined,
  "/prompts/*/media/document": undefined,
  "/prompts/*/media/examples": undefined,
  "/prompts/*/media/examples/*": { noun: "example", named: ["name"] },
  "/prompts/*/media/examples/*/parts/*": { noun: "part", named: [] },
  "/fragments/*": { noun: "fragment", named: "key" },
  "/tools/*": { noun: "tool", named: "key" },
  "/tools/*/parameters/properties/*": { noun: "parameter", named: "key" },
  "/evals/*": { noun: "eval", named: ["id"] },
  "/workflow": { noun: "workflow" },
  "/workflow/states/*": { noun: "state", named: "key" },
  "/workflow/states/*/on_event/*": { noun: "event", named: "key" },
  "/workflow/states/*/artifacts/*": { noun: "artifact", named: "key" },
  "/workflow/engine/budget": { noun: "budget" },
  "/agents/members/*": { noun: "agent", named: "key" },
  "/skills/*": { noun: "skill", named: ["name", "path"] },
};

interface Shape {
  role: Role | undefined;
  readonly parts: Map<string, Shape>;
}

const shapes = shapesOf(roles);

/** `prompt "planner"`, `variable 2`, `the workflow`, or `"binding"` for what has no role. */
export function thing(node: Node): string {
  const role = roleOf(node);
  if (role === undefined) return plainName(node);
  return role.named === undefined ? `the ${role.noun}` : `${role.noun} ${nameOf(node, role.named)}`;
}

/** The subject of a sentence about the value itself: like `thing`, but `"workflow"` for what is known by its key. */
export function valueName(node: Node): string {
  const role = roleOf(node);
  return role?.named === undefined && node.key !== null ? plainName(node) : thing(node);
}

/** `a prompt`, or `"binding"` for what has no role. */
export function kindOfThing(node: Node): string {
  const role = roleOf(node);
  if (role === undefined) return plainName(node);
  return `${/^[aeiou]/.test(role.noun) ? "an" : "a"} ${role.noun}`;
}

function nameOf(node: Node, named: "key" | readonly string[]): string {
  if (node.key instanceof Key) return quoted(node.key.text);
  if (node.kind === "mapping" && named !== "key") {
    for (const property of named) {
      const name = node.get(property);
      if (name?.kind === "scalar" && typeof name.value === "string" && name.value !== "")
        return quoted(name.value);
    }
  }
  return String(Number(node.key) + 1);
}

function plainName(node: Node): string {
  if (node.key === null) return "the pack";
  if (node.key instanceof Key) return quoted(node.key.text);
  const list = node.parent?.key;
  return `item ${node.key + 1} of ${list instanceof Key ? quoted(list.text) : "a list"}`;
}

function roleOf(node: Node): Role | undefined {
  const path: string[] = [];
  for (let part: Node | null = node; part !== null && part.key !== null; part = part.parent) {
    path.push(part.key instanceof Key ? part.key.text : "*");
  }
  let shape: Shape | undefined = shapes;
  for (let index = path.length - 1; index >= 0 && shape !== undefined; index--) {
    const name = path[index] ?? "";
    shape = shape.parts.get(name) ?? shape.parts.get("*");
  }
  return shape?.role;
}

function shapesOf(table: typeof roles): Shape {
  const root: Shape = { role: undefined, parts: new Map() };
  for (const [path, role] of Object.entries(table)) {
    let shape = root;
    for (const name of path.split("/").slice(1)) {
      const next: Shape = shape.parts.get(name) ?? { role: undefined, parts: new Map() };
      shape.parts.set(name, next);
      shape = next;
    }
    shape.role = role;
  }
  return root;
}
