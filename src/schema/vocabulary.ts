import { type Noun, places } from "./pack-places.js";

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

export const packWords = vocabulary(
  Object.fromEntries(
    places.map(({ path, noun, named }) => [
      path.map((name) => `/${name}`).join(""),
      noun && { noun, ...(named !== undefined && { named }) },
    ]),
  ),
);
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
