import fc from "fast-check";
import { validPack } from "./valid-pack.js";

interface Damage {
  readonly where: number;
  readonly how: "delete" | "replace" | "add" | "rename";
  readonly key: string;
  readonly value: unknown;
}

const keys = [
  "composition",
  "orchestration",
  "provider",
  "extensions",
  "governance",
  "kind",
  "exists",
  "path",
  "name",
  "state",
  "max_size_mb",
  "max_pages",
  "validation_params",
  "promts",
  "__proto__",
  "1",
  "a/b~c",
];
const values = [
  "composition",
  "branch",
  "x.y",
  null,
  true,
  "",
  "x",
  "My Pack",
  "1.0",
  "2026-02-30",
  "no address",
  0,
  -3,
  1,
  1.5,
  101,
  1e300,
  [],
  [1],
  {},
];

const damage: fc.Arbitrary<Damage> = fc.record({
  where: fc.nat(),
  how: fc.constantFrom("delete", "replace", "add", "rename"),
  key: fc.constantFrom(...keys),
  value: fc.oneof(fc.constantFrom<unknown>(...values), fc.jsonValue({ maxDepth: 1 })),
});

/** Packs as JSON text: the valid one, with up to three parts of it broken. */
export const damagedPack: fc.Arbitrary<string> = damagedPackOf(validPack());

export function damagedPackOf(valid: Record<string, unknown>): fc.Arbitrary<string> {
  return fc.array(damage, { maxLength: 3 }).map((damages) => {
    const pack = structuredClone(valid);
    for (const one of damages) apply(pack, structuredClone(one));
    return JSON.stringify(pack);
  });
}

type Container = Record<string, unknown> | unknown[];

function apply(pack: Container, { where, how, key, value }: Damage): void {
  const slots = slotsOf(pack);
  const slot = slots[where % slots.length];
  if (slot === undefined) return;
  const { owner, name } = slot;
  const old = Reflect.get(owner, name) as unknown;
  if (how === "add") {
    const target = typeof old === "object" && old !== null ? old : owner;
    if (Array.isArray(target)) target.push(value);
    else define(target, key, value);
    return;
  }
  if (how === "replace") return define(owner, name, value);
  if (Array.isArray(owner)) owner.splice(Number(name), 1);
  else Reflect.deleteProperty(owner, name);
  if (how === "rename" && !Array.isArray(owner)) define(owner, `${name}s`, old);
}

/** `__proto__` too becomes a property like any other. */
function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

function slotsOf(root: Container): { owner: Container; name: string }[] {
  const slots: { owner: Container; name: string }[] = [];
  const open: unknown[] = [root];
  for (let owner = open.pop(); owner !== undefined; owner = open.pop()) {
    if (typeof owner !== "object" || owner === null) continue;
    for (const [name, value] of Object.entries(owner)) {
      slots.push({ owner: owner as Container, name });
      if (value !== undefined) open.push(value);
    }
  }
  return slots;
}
