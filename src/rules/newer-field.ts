import { placeOf } from "../document/node.js";
import { newerFields } from "../schema/spec-version.js";
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
    for (const { name, value, since, requiredVersion, node } of newerFields(root, spec)) {
      const newer = `v${requiredVersion}${requiredVersion === since ? "" : ", which also defines what is inside it"}`;
      const added =
        value === undefined
          ? `"${name}" was added in v${since}`
          : `A ${name} of a vendor, such as "${value}", is allowed from v${since} on`;
      yield {
        at: placeOf(node),
        message: `${added}, but ${older}.`,
        claim: `${added}, but ${checked}.`,
        advice:
          pinned === undefined
            ? `Remove it, or check the pack against ${newer}.`
            : `Pin ${newer}, or remove it.`,
        related,
      };
    }
  },
};
