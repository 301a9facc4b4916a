import { placeOf } from "../../document/node.js";
import { schemaFindings } from "../../schema/check-schema.js";
import { type NewerField, newerFields, schemaUrl, type Spec } from "../../schema/spec-version.js";
import { newestSpecVersion, replacedVersions, type SpecVersion, specVersions } from "../../text/tool-info.js";
import { type RuleFor, rulesOf } from "../rule.js";
import { withRenameFix } from "../shared/fixes.js";

export const schema: RuleFor<"document"> = {
  id: "schema",
  subject: "document",
  summary: "The pack matches the PromptPack schema.",
  severity: "error",
  fix: "safe",
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
    fix: "unsafe",
    source: "RFC 0001, versioning",
    *check({ pack: { root, spec, document } }) {
      const { declared, version } = spec;
      const fault = faultOf(spec);
      if (declared === undefined || fault === undefined) return;
      const { message, right } = fault;
      const newer = [...newerFields(root, spec)];
      // The newest line of versions that a field asks for.
      const needed = specVersions.findLast((each) =>
        newer.some(({ requiredVersion }) => `${each}.`.startsWith(`${requiredVersion}.`)),
      );
      const why = needed === undefined ? "" : ", which has every field of this pack";
      const replacement = right && schemaUrl(needed ?? right);
      const advice = replacement && `Write "${replacement}"${why}.`;
      const related = newer.map((field) => ({
        at: placeOf(field.node),
        message: `${addedText(field)}, after v${version}`,
      }));
      yield withRenameFix(document, {
        at: declared,
        replaced: declared.node,
        message,
        advice,
        replacement,
        related,
      });
    },
  },
  "newer-field": {
    summary: "A pack that pins an older version in `$schema` uses no field that was added later.",
    severity: "warning",
    source: "RFC 0001, versioning",
    defersTo: ["spec-version"],
    *check({ pack: { root, spec }, isOn }) {
      const { version, declared, pinned } = spec;
      // It names the version that has all fields.
      if (declared !== undefined && faultOf(spec) !== undefined && isOn("spec-version")) return;
      const related = declared === undefined ? [] : [{ at: declared, message: "the version is pinned here" }];
      const checked = `the pack is checked against v${version}`;
      // An overridden or unknown version is not a pin.
      const older =
        pinned === undefined || spec.problem !== undefined
          ? checked
          : `the pack pins ${pinned.replace(/^v?/, "v")}`;
      for (const field of newerFields(root, spec)) {
        const { since, requiredVersion, node } = field;
        const newer = `v${requiredVersion}${requiredVersion === since ? "" : ", which also defines what is inside it"}`;
        const added = addedText(field);
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

function addedText({ name, value, since }: NewerField): string {
  return value === undefined
    ? `"${name}" was added in v${since}`
    : `A ${name} of a vendor, such as "${value}", is allowed from v${since} on`;
}

/** The problem with `$schema`, and the version that it should name unless a field needs another. */
function faultOf({ version, problem }: Spec): Fault | undefined {
  const checked = `the pack is checked against v${version}`;
  if (problem === "newer") {
    const message = `"$schema" names a PromptPack version newer than v${newestSpecVersion}, the newest known here; ${checked}.`;
    return { message };
  }
  if (problem === "unknown") {
    const message = `"$schema" names no known version of the PromptPack schema; ${checked}.`;
    return { message, right: version };
  }
  const replacement = replacedVersions[version];
  if (replacement === undefined) return undefined;
  const message = `"$schema" names v${version}, whose file some validators cannot load; v${replacement} replaced it.`;
  return { message, right: replacement };
}

interface Fault {
  readonly message: string;
  readonly right?: SpecVersion;
}
