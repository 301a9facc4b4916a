import { defaultProvider } from "../pack/providers.js";
import { providerUses } from "../pack/provider-use.js";
import type { PackRule } from "./rule.js";
import { createCorrector } from "./shared/name-corrections.js";

export const unknownProvider: PackRule = {
  id: "unknown-provider",
  subject: "pack",
  summary: "Every provider that a prompt or a step names is `default` or required by the pack.",
  severity: "error",
  since: "1.9.0",
  fix: "unsafe",
  source: "RFC 0017, rule 1",
  *check(pack) {
    const { document, providers } = pack;
    if (!providers.hasAll) return;
    const names = new Set([...providers.required.map(({ key }) => key.text), defaultProvider]);
    const correct = createCorrector(document, () => names);
    for (const { owner, key } of providerUses(pack)) {
      if (names.has(key.text)) continue;
      yield {
        at: key,
        wants: "a provider",
        message: `${owner} names the provider "${key.text}", which the pack does not require.`,
        advice: 'Add it to "requires.providers".',
        ...correct(key),
      };
    }
  },
};
