import type { LocatedString } from "../document/node.js";
import type { Control, Declarations, GovernanceObject } from "../pack/governance.js";
import type { Pack } from "../pack/pack.js";
import type { PackRule } from "./rule.js";
import { createCorrectorAmong } from "./shared/name-corrections.js";

export const unknownControl: PackRule = {
  id: "unknown-control",
  subject: "pack",
  summary: "The controls of obligations, and what reviews name, exist.",
  severity: "error",
  since: "1.8.0",
  fix: "unsafe",
  source: "RFC 0016, rules 4 to 7",
  *check(pack) {
    const correct = createCorrectorAmong(pack.document);
    for (const object of pack.governance.objects)
      for (const { owner, kind, name } of namesIn(object)) {
        const known = namesOfKind(kind, pack, object.effective);
        if (known.has(name.text)) continue;
        yield {
          at: name,
          wants: kind,
          message: `${owner} names the ${kind} "${name.text}", ${faults[kind](object.owner)}.`,
          ...correct(name, () => known.all()),
        };
      }
  },
};

interface NamedControl {
  readonly owner: string;
  readonly kind: Control["kind"] | "obligation";
  readonly name: LocatedString;
}

function* namesIn({ obligations, reviews }: GovernanceObject): Iterable<NamedControl> {
  for (const { id, controls } of obligations)
    for (const control of controls) yield { owner: `Obligation "${id.text}"`, ...control };
  for (const { id, eval: used, satisfies } of reviews) {
    const owner = `Review "${id.text}"`;
    if (used !== undefined) yield { owner, kind: "eval", name: used };
    for (const name of satisfies) yield { owner, kind: "obligation", name };
  }
}

const faults: Readonly<Record<NamedControl["kind"], (governance: string) => string>> = {
  field: (governance) => `which ${governance.replace(/^The/, "the")} does not declare`,
  validator: () => "which is the id of no validator",
  eval: () => "which is the id of no eval",
  obligation: (governance) => `which ${governance.replace(/^The/, "the")} does not declare`,
};

function namesOfKind(
  kind: NamedControl["kind"],
  { governance }: Pack,
  effective: Declarations,
): Declarations["fields"] {
  if (kind === "field") return effective.fields;
  if (kind === "obligation") return effective.obligations;
  const { byId, hasAll } = kind === "validator" ? governance.validators : governance.evals;
  return { has: (name) => !hasAll || byId.has(name), all: () => byId.keys() };
}
