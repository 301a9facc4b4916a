import { schemaAddressOf } from "../pack/spec.js";
import { newestVersion } from "../words/spec-versions.js";
import type { PackRule } from "./rule.js";

export const specVersion: PackRule = {
  id: "spec-version",
  subject: "pack",
  summary: "`$schema` names a published version of the PromptPack schema.",
  severity: "warning",
  source: "RFC 0001, versioning",
  *check({ spec }) {
    if (spec.declared === undefined || spec.doubt === undefined) return;
    const isNewer = spec.doubt === "newer";
    const held = `the pack is checked against v${spec.version}`;
    yield {
      at: spec.declared,
      message: isNewer
        ? `"$schema" names a PromptPack version newer than v${newestVersion}, the newest known here; ${held}.`
        : `"$schema" names no known version of the PromptPack schema; ${held}.`,
      advice: isNewer ? undefined : `Write "${schemaAddressOf(spec.version)}".`,
    };
  },
};
