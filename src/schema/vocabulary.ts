import type { Holder } from "../meant/homes.js";

/** What the parts of documents are called; what stands in the wrong place is known by these, too. */
export type Noun =
  | Holder
  | "artifact"
  | "budget"
  | "capture"
  | "configuration"
  | "context"
  | "event"
  | "example"
  | "fragment"
  | "log"
  | "media type"
  | "middleware"
  | "parameter"
  | "part"
  | "pipeline"
  | "plugin"
  | "record"
  | "run"
  | "skill"
  | "step"
  | "template engine"
  | "tested model"
  | "the target of event"
  | "transition"
  | "validator";

/** What a part of a document is called, and where it has its name: its key, or one of its properties. */
export interface Role {
  readonly noun: Noun;
  readonly named?: "key" | readonly string[];
}

/** By path; a name goes before `*`. */
type Roles = Readonly<Record<string, Role | undefined>>;

/** Roles by the names on the way to them. */
export interface RoleTree {
  role: Role | undefined;
  readonly parts: Map<string, RoleTree>;
}

/** The words for one kind of document. */
export interface Vocabulary {
  /** What the root is called. */
  readonly whole: string;
  readonly roles: RoleTree;
}

const packRoles: Roles = {
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
  "/workflow/states/*/on_event/*": { noun: "the target of event", named: "key" },
  "/workflow/states/*/artifacts/*": { noun: "artifact", named: "key" },
  "/workflow/engine/*": undefined,
  "/workflow/engine/budget": { noun: "budget" },
  "/agents/members/*": { noun: "agent", named: "key" },
  "/skills/*": { noun: "skill", named: ["name", "path"] },
};

const routesRoles: Roles = {
  "": { noun: "configuration" },
  "/pipelines/*": { noun: "pipeline", named: ["name", "on"] },
  "/pipelines/*/steps/*": { noun: "step", named: ["id", "uses"] },
  "/plugins/*": { noun: "plugin", named: "key" },
};

const eventRoles: Roles = {
  "": { noun: "log" },
  "/*": { noun: "event", named: ["type"] },
};

const stateRoles: Roles = {
  "": { noun: "state" },
  "/runs/*": { noun: "run", named: "key" },
};

const recordRoles: Roles = {
  "": { noun: "record" },
  "/*": { noun: "record", named: ["record"] },
};

const contextRoles: Roles = {
  "": { noun: "context" },
  "/history/*": { noun: "transition", named: ["event"] },
  "/artifact_history/*": { noun: "capture", named: ["event"] },
};

export const packWords = vocabulary(packRoles);
export const routesWords = vocabulary(routesRoles);
export const eventWords = vocabulary(eventRoles);
export const stateWords = vocabulary(stateRoles);
export const recordWords = vocabulary(recordRoles);
export const contextWords = vocabulary(contextRoles);

function vocabulary(roles: Roles): Vocabulary {
  return { whole: `the ${roles[""]?.noun ?? "file"}`, roles: treeOf(roles) };
}

function treeOf(table: Roles): RoleTree {
  const root: RoleTree = { role: undefined, parts: new Map() };
  for (const [path, role] of Object.entries(table)) {
    let part = root;
    for (const name of path.split("/").slice(1)) {
      const next: RoleTree = part.parts.get(name) ?? { role: undefined, parts: new Map() };
      part.parts.set(name, next);
      part = next;
    }
    part.role = role;
  }
  return root;
}
