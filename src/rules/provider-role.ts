import type { Finding } from "../diagnostic.js";
import type { Pack } from "../pack/pack.js";
import { defaultProvider } from "../pack/providers.js";
import { providerUses } from "../pack/provider-use.js";
import { isOlderThan } from "../schema/spec-version.js";
import type { PackRule } from "./rule.js";

export const providerRole: PackRule = {
  id: "provider-role",
  subject: "pack",
  summary: "What writes text or calls tools runs on a provider with the role `llm`.",
  severity: "warning",
  since: "1.5.1",
  source: "RFC 0012, provider requirements; RFC 0017, rule 5",
  *check(pack) {
    const main = pack.providers.named(defaultProvider);
    if (main !== undefined && main.role !== "llm")
      yield {
        at: main.at,
        message: `The provider "${defaultProvider}" is the main language model, but has the role "${main.role}" here.`,
        advice: "Give it the role llm, or another key.",
      };
    if (!isOlderThan(pack.spec, "1.9.0")) yield* checkUses(pack);
  },
};

function* checkUses(pack: Pack): Iterable<Finding> {
  for (const { owner, key, needsModel } of providerUses(pack)) {
    const provider = key.text === defaultProvider ? undefined : pack.providers.named(key.text);
    if (needsModel === undefined || provider === undefined || provider.role === "llm") continue;
    yield {
      at: key,
      message: `${owner} needs a language model, since ${needsModel.reason}, but its provider "${key.text}" has the role "${provider.role}".`,
      advice: `Name another provider${needsModel.lacksSchema ? ", or give the step an output_schema" : ""}.`,
      related: [{ at: provider.at, message: "the role is given here" }],
    };
  }
}
