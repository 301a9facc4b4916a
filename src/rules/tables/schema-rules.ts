import type { Finding } from "../../diagnostic.js";
import { placeOf } from "../../document/node.js";
import { schemaFindings } from "../../schema/check-schema.js";
import { newerFields, schemaUrl, type Spec } from "../../schema/spec-version.js";
import { newestSpecVersion, replacedVersions } from "../../text/tool-info.js";
import { type RuleFor, rulesOf } from "../rule.js";
import { withRenameFix } from "../shared/fixes.js";

export const schema: RuleFor<"document"> = {
  id: "schema",
  subject: "document",
  summary: "The pack matches the PromptPack schema.",
  severity: "error",
  fix: "unsafe",
  source: "PromptPack schema",
  *check({ document, spec, schemaErrors }) {
    for (const finding of schemaFindings(document, spec, schemaErrors))
      yield withRenameFix(document, finding);
  },
};

export const versionRules = rulesOf("pack", {
  "spec-version": {
    summary: "`$schema` names a published version of the PromptPack schema.",
    severity: "warning",
    source: "RFC 0001, versioning",
    *check({ pack: { spec } }) {
      const fault = spec.declared && faultOf(spec);
      if (spec.declared !== undefined && fault !== undefined) yield { at: spec.declared, ...fault };
    },
  },
  "newer-field": {
    summary: "A pack that pins an older version in `$schema` uses no field that was added later.",
    severity: "warning",
    source: "RFC 0001, versioning",
    *check({ pack: { root, spec } }) {
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
  },
});

function faultOf({ version, problem }: Spec): Omit<Finding, "at"> | undefined {
  const checked = `the pack is checked against v${version}`;
  if (problem === "newer") {
    const message = `"$schema" names a PromptPack version newer than v${newestSpecVersion}, the newest known here; ${checked}.`;
    return { message };
  }
  if (problem === "unknown") {
    const message = `"$schema" names no known version of the PromptPack schema; ${checked}.`;
    return { message, advice: `Write "${schemaUrl(version)}".` };
  }
  const replacement = replacedVersions[version];
  if (replacement === undefined) return undefined;
  const message = `"$schema" names v${version}, whose file some validators cannot load; v${replacement} replaced it.`;
  return { message, advice: `Write "${schemaUrl(replacement)}".` };
}
