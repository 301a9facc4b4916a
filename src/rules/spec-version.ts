import { schemaUrl } from "../pack/spec-version.js";
import { newestSpecVersion } from "../text/tool-info.js";
import type { PackRule } from "./rule.js";

export const specVersion: PackRule = {
  id: "spec-version",
  subject: "pack",
  summary: "`$schema` names a published version of the PromptPack schema.",
  severity: "warning",
  source: "RFC 0001, versioning",
  *check({ spec }) {
    if (spec.declared === undefined || spec.problem === undefined) return;
    const isNewer = spec.problem === "newer";
    const checked = `the pack is checked against v${spec.version}`;
    yield {
      at: spec.declared,
      message: isNewer
        ? `"$schema" names a PromptPack version newer than v${newestSpecVersion}, the newest known here; ${checked}.`
        : `"$schema" names no known version of the PromptPack schema; ${checked}.`,
      advice: isNewer ? undefined : `Write "${schemaUrl(spec.version)}".`,
    };
  },
};
