import { defaultProvider } from "../pack/providers.js";
import { allProviderUsesKnown, namesInSettings, providerUses } from "../pack/provider-use.js";
import type { PackRule } from "./rule.js";

export const unusedProvider: PackRule = {
  id: "unused-provider",
  subject: "pack",
  summary: "Some prompt or step runs on each language model that the pack requires.",
  severity: "info",
  since: "1.9.0",
  section: "requires",
  source: "promptpack, providers",
  *check(pack) {
    const { required, named, hasAll } = pack.providers;
    const unused = required.filter(({ key, role }) => role === "llm" && key.text !== defaultProvider);
    if (unused.length === 0 || !allProviderUsesKnown(pack)) return;
    const used = new Set(providerUses(pack).map(({ key }) => key.text));
    // A name of no provider may be a misspelling of any.
    if (hasAll && [...used].some((key) => key !== defaultProvider && named(key) === undefined)) return;
    const mentioned = new Set(namesInSettings(pack));
    for (const provider of unused) {
      const { at, key } = provider;
      // duplicate-provider reports the second of a key.
      if (used.has(key.text) || mentioned.has(key.text) || named(key.text) !== provider) continue;
      yield {
        at,
        message: `No prompt or step runs on the provider "${key.text}".`,
        advice: 'Name it as a "provider", or remove it.',
      };
    }
  },
};
