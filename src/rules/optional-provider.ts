import { providerUses } from "../pack/provider-use.js";
import type { PackRule } from "./rule.js";

export const optionalProvider: PackRule = {
  id: "optional-provider",
  subject: "pack",
  summary: "A provider that a prompt or a step runs on is not optional.",
  severity: "warning",
  since: "1.9.0",
  section: "requires",
  source: "RFC 0017, rule 4",
  *check(pack) {
    for (const { owner, key } of providerUses(pack)) {
      const provider = pack.providers.named(key.text);
      if (provider?.isOptional !== true) continue;
      yield {
        at: key,
        message: `${owner} runs on the provider "${key.text}", which is optional: where it is missing, nothing takes its place.`,
        advice: "Make it required, or name another.",
        related: [{ at: provider.at, message: "required: false is here" }],
      };
    }
  },
};
