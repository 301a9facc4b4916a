import type { Finding } from "../diagnostic.js";
import { schemaUrl, type Spec } from "../schema/spec-version.js";
import { newestSpecVersion, replacedVersions } from "../text/tool-info.js";
import type { PackRule } from "./rule.js";

export const specVersion: PackRule = {
  id: "spec-version",
  subject: "pack",
  summary: "`$schema` names a published version of the PromptPack schema.",
  severity: "warning",
  source: "RFC 0001, versioning",
  *check({ spec }) {
    const fault = spec.declared && faultOf(spec);
    if (spec.declared !== undefined && fault !== undefined) yield { at: spec.declared, ...fault };
  },
};

function faultOf({ version, problem }: Spec): Omit<Finding, "at"> | undefined {
  const checked = `the pack is checked against v${version}`;
  if (problem === "newer")
    return {
      message: `"$schema" names a PromptPack version newer than v${newestSpecVersion}, the newest known here; ${checked}.`,
    };
  if (problem === "unknown")
    return {
      message: `"$schema" names no known version of the PromptPack schema; ${checked}.`,
      advice: `Write "${schemaUrl(version)}".`,
    };
  const replacement = replacedVersions[version];
  return replacement === undefined
    ? undefined
    : {
        message: `"$schema" names v${version}, whose file some validators cannot load; v${replacement} replaced it.`,
        advice: `Write "${schemaUrl(replacement)}".`,
      };
}
