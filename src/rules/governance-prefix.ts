import type { Finding } from "../diagnostic.js";
import type { LocatedString } from "../document/node.js";
import type { Declarations } from "../pack/governance.js";
import type { Pack } from "../pack/pack.js";
import { isOlderThan } from "../schema/spec-version.js";
import { createGuesser, nameAdvice, type NameGuess } from "../text/names.js";
import type { PackRule } from "./rule.js";

const firstPrefixes = ["dpv", "eu-aiact", "ai"];
/** From spec 1.8 on. */
const laterPrefixes = [
  "pd",
  "risk",
  "tech",
  "legal-eu-gdpr",
  "legal-us",
  "sector-health",
  "sector-finance",
  "sector-education",
  "sector-law",
  "sector-publicservices",
  "sector-infra",
  "hipaa",
  "pp",
];

export const governancePrefix: PackRule = {
  id: "governance-prefix",
  subject: "pack",
  summary: "The prefix of every governance term is well known or declared in `vocabularies`.",
  severity: "warning",
  since: "1.6.0",
  source: "RFC 0013, rule 5; RFC 0016, rule 10",
  *check(pack) {
    const { governance, tools } = pack;
    const guess = createGuesser();
    for (const { terms, effective } of governance.objects) yield* checkTerms(terms, effective, pack, guess);
    for (const { isUnclear, dataClasses } of tools.values())
      if (!isUnclear) yield* checkTerms(dataClasses, governance.ofPack, pack, guess);
  },
};

function* checkTerms(
  terms: readonly LocatedString[],
  { prefixes }: Declarations,
  { spec }: Pack,
  guess: NameGuess,
): Iterable<Finding> {
  const isOlder = isOlderThan(spec, "1.8.0");
  const wellKnown = isOlder ? firstPrefixes : [...firstPrefixes, ...laterPrefixes];
  for (const term of terms) {
    const prefix = prefixOf(term.text);
    if (prefix === undefined || wellKnown.includes(prefix) || prefixes.has(prefix)) continue;
    const isLater = laterPrefixes.includes(prefix);
    yield {
      at: term,
      message: `The prefix "${prefix}" of "${term.text}" is neither well known nor in "vocabularies".`,
      advice: isLater
        ? 'It is well known from spec 1.8 on: pin that, or add it to "vocabularies".'
        : (nameAdvice(prefix, candidates(wellKnown, prefixes), guess) ?? 'Add it to "vocabularies".'),
    };
  }
}

/** Lazily: names are compared for the first terms only. */
function* candidates(wellKnown: readonly string[], prefixes: Declarations["prefixes"]): Iterable<string> {
  yield* wellKnown;
  yield* prefixes.all();
}

/** Of a compact IRI: `dpv` in `dpv:Consent`. Addresses, URNs and prose have none. */
function prefixOf(text: string): string | undefined {
  const prefix = /^([A-Za-z_][\w.-]*):(?!\/\/)\S*$/.exec(text)?.[1];
  return prefix?.toLowerCase() === "urn" ? undefined : prefix;
}
