import { placeOf } from "../document/node.js";
import { newerFields } from "../pack/spec-version.js";
import type { PackRule } from "./rule.js";

export const newerField: PackRule = {
  id: "newer-field",
  subject: "pack",
  summary: "A pack that pins an older version in `$schema` uses no field that was added later.",
  severity: "warning",
  source: "RFC 0001, versioning",
  *check({ root, spec }) {
    const { version, declared, pinned } = spec;
    const related = declared === undefined ? [] : [{ at: declared, message: "the version is pinned here" }];
    const checked = `the pack is checked against v${version}`;
    // An overridden or unknown version is not a pin.
    const older =
      pinned === undefined || spec.problem !== undefined
        ? checked
        : `the pack pins ${pinned.replace(/^v?/, "v")}`;
    for (const { name, since, requiredVersion, node } of newerFields(root, spec)) {
      const newer = `v${requiredVersion}${requiredVersion === since ? "" : ", which also defines what is inside it"}`;
      yield {
        at: placeOf(node),
        message: `"${name}" was added in v${since}, but ${older}.`,
        claim: `"${name}" was added in v${since}, but ${checked}.`,
        advice:
          pinned === undefined
            ? `Remove it, or check the pack against ${newer}.`
            : `Pin ${newer}, or remove it.`,
        related,
      };
    }
  },
};
