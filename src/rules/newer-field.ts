import { placeOf } from "../document/node.js";
import { newerFields } from "../pack/newer-fields.js";
import type { PackRule } from "./rule.js";

export const newerField: PackRule = {
  id: "newer-field",
  subject: "pack",
  summary: "A pack that pins an older version in `$schema` uses no field that was added later.",
  severity: "warning",
  source: "RFC 0001, versioning",
  *check({ root, spec }) {
    const pinned =
      spec.declared === undefined ? [] : [{ at: spec.declared, message: "the version is pinned here" }];
    for (const { name, since, pin, node } of newerFields(root, spec)) {
      const version = `v${pin}${pin === since ? "" : ", which also defines what is inside it"}`;
      yield {
        at: placeOf(node),
        message: `"${name}" was added in v${since}, but the pack is checked against v${spec.version}.`,
        // Where the version is overridden, no pin counts.
        advice:
          spec.declared === undefined
            ? `Remove it, or check the pack against ${version}.`
            : `Pin ${version}, or remove it.`,
        related: pinned,
      };
    }
  },
};
