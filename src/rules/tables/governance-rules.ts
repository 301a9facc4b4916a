import type { Finding } from "../../diagnostic.js";
import type { LocatedString } from "../../document/node.js";
import type { Control, Declarations, GovernanceObject } from "../../pack/governance.js";
import type { Pack } from "../../pack/pack.js";
import { isOlderThan } from "../../schema/spec-version.js";
import { createGuesser, nameAdvice, type NameGuess } from "../../text/names.js";
import { rulesOf } from "../rule.js";
import { createCorrector, repeatedNames } from "../shared/name-corrections.js";

export const governanceRules = rulesOf("pack", {
  "governance-prefix": {
    summary: "The prefix of every governance term is well known or declared in `vocabularies`.",
    severity: "warning",
    since: "1.6.0",
    source: "RFC 0013, rule 5; RFC 0016, rule 10",
    *check({ pack }) {
      const { governance, tools } = pack;
      const guess = createGuesser();
      for (const { terms, effective } of governance.objects) yield* checkTerms(terms, effective, pack, guess);
      for (const { isUnclear, dataClasses } of tools.values())
        if (!isUnclear) yield* checkTerms(dataClasses, governance.ofPack, pack, guess);
    },
  },
  "duplicate-obligation": {
    summary: "The obligations of a governance object, and its reviews, have different ids.",
    severity: "error",
    since: "1.8.0",
    source: "RFC 0016, rule 2",
    *check({ pack: { governance } }) {
      for (const { owner, obligations, reviews } of governance.objects)
        for (const [what, items] of Object.entries({ obligation: obligations, review: reviews }))
          yield* repeatedNames(
            items.map(({ at, id }) => ({ at, name: id.text })),
            (id) => `${owner} has another ${what} with the id "${id}".`,
          );
    },
  },
  "duplicate-validator-id": {
    summary: "The validators of a pack have different ids.",
    severity: "error",
    since: "1.8.0",
    source: "RFC 0016, rule 5",
    *check({ pack: { governance } }) {
      for (const [name, validators] of governance.validators.byId)
        yield* repeatedNames(
          validators.map(({ at }) => ({ at, name })),
          (id) => `Another validator of the pack has the id "${id}".`,
        );
    },
  },
  "unknown-control": {
    summary: "The controls of obligations, and what reviews name, exist.",
    severity: "error",
    since: "1.8.0",
    fix: "unsafe",
    source: "RFC 0016, rules 4 to 7",
    *check({ pack }) {
      const correct = createCorrector(pack.document);
      for (const object of pack.governance.objects)
        for (const { owner, kind, name } of namesIn(object)) {
          const known = namesOfKind(kind, pack, object.effective);
          if (known.has(name.text)) continue;
          const isOwn = kind === "field" || kind === "obligation";
          const fault = isOwn
            ? `which ${object.owner.replace(/^The/, "the")} does not declare`
            : `which is the id of no ${kind}`;
          const message = `${owner} names the ${kind} "${name.text}", ${fault}.`;
          yield { at: name, wants: kind, message, ...correct(name, () => known.all()) };
        }
    },
  },
  "disabled-control": {
    summary: "The validators and evals that discharge an obligation are enabled.",
    severity: "warning",
    since: "1.8.0",
    source: "promptpack, governance",
    *check({ pack: { governance } }) {
      const { objects, validators, evals } = governance;
      for (const { obligations } of objects)
        for (const { id, controls } of obligations)
          for (const { kind, name } of controls) {
            if (kind === "field") continue;
            const { byId, hasAll } = kind === "validator" ? validators : evals;
            const named = byId.get(name.text) ?? [];
            const [first] = named;
            if (first === undefined || !hasAll || named.some(({ isEnabled }) => isEnabled)) continue;
            yield {
              at: name,
              message: `Obligation "${id.text}" names the ${kind} "${name.text}", which is not enabled.`,
              advice: "Enable it, or name another control.",
              related: [{ at: first.at, message: "enabled: false is here" }],
            };
          }
    },
  },
});

const firstPrefixes = ["dpv", "eu-aiact", "ai"];

/** From spec 1.8 on. */
const laterPrefixes = [
  ...["pd", "risk", "tech", "legal-eu-gdpr", "legal-us", "hipaa", "pp"],
  ...["health", "finance", "education", "law", "publicservices", "infra"].map((name) => `sector-${name}`),
];

function* checkTerms(
  terms: readonly LocatedString[],
  { prefixes }: Declarations,
  { spec }: Pack,
  guess: NameGuess,
): Iterable<Finding> {
  const wellKnown = isOlderThan(spec, "1.8.0") ? firstPrefixes : [...firstPrefixes, ...laterPrefixes];
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

/** `dpv` in the compact IRI `dpv:Consent`. Addresses, URNs and prose have no prefix. */
function prefixOf(text: string): string | undefined {
  const prefix = /^([A-Za-z_][\w.-]*):(?!\/\/)\S*$/.exec(text)?.[1];
  return prefix?.toLowerCase() === "urn" ? undefined : prefix;
}

interface NamedControl {
  readonly owner: string;
  readonly kind: Control["kind"] | "obligation";
  readonly name: LocatedString;
}

function* namesIn({ obligations, reviews }: GovernanceObject): Iterable<NamedControl> {
  for (const { id, controls } of obligations)
    for (const control of controls) yield { owner: `Obligation "${id.text}"`, ...control };
  for (const { id, eval: used, satisfies } of reviews) {
    const owner = `Review "${id.text}"`;
    if (used !== undefined) yield { owner, kind: "eval", name: used };
    for (const name of satisfies) yield { owner, kind: "obligation", name };
  }
}

function namesOfKind(
  kind: NamedControl["kind"],
  { governance }: Pack,
  effective: Declarations,
): Declarations["fields"] {
  if (kind === "field") return effective.fields;
  if (kind === "obligation") return effective.obligations;
  const { byId, hasAll } = kind === "validator" ? governance.validators : governance.evals;
  return { has: (name) => !hasAll || byId.has(name), all: () => byId.keys() };
}
