import type { CheckParameter, CheckTypes, Fact, Runtime, RuntimeFacts } from "./runtime.js";

const run = <const T>(value: T, says: string): Fact<T> => ({ value, says, learned: "run" });
const read = <const T>(value: T, says: string): Fact<T> => ({ value, says, learned: "read" });

const ownTypes = ["banned_words", "max_length", "min_length", "regex_match"];

const ownNames: CheckTypes["ownNames"] = new Map([
  ["content_excludes", "banned_words"],
  ["length", "max_length"],
  ["regex", "regex_match"],
  ["content_matches", "regex_match"],
]);

const parameters = new Map<string, CheckParameter>([
  ["banned_words", { names: ["words"], is: "texts" }],
  ["max_length", { names: ["max_characters"], is: "positive number" }],
  ["min_length", { names: ["min_characters"], is: "positive number" }],
  ["regex_match", { names: ["pattern"], is: "pattern" }],
]);

const shared = {
  leftover: read("left as it is", "Any other placeholder is left as it is."),
  binds: read("callers and defaults", "Callers, then defaults."),
  validatorParameters: read(
    parameters,
    "Only `words`, `max_characters`, `min_characters` and `pattern` are read.",
  ),
  uselessCheck: read(
    "the validator lets everything pass",
    "A validator without the parameters that it reads lets everything pass.",
  ),
  toolNames: read("exact", "Names of tools are compared exactly."),
} satisfies Partial<RuntimeFacts>;

export const langchainJs: Runtime = {
  name: "langchain-js",
  title: "LangChain.js",
  version: "November 2026",
  readIn: "November 2026",
  facts: {
    ...shared,
    placeholders: read(
      { forms: ["variable"], delimiters: "template_engine.syntax", passes: 1 },
      "`{{name}}` with letters, digits and `_`, between the delimiters of `template_engine.syntax`.",
    ),
    requiredUnbound: read("refused", "A variable that is not given throws, unless `allowUndefined` is set."),
    fragments: run("{{name}}", "A bare `{{name}}` of a fragment is filled."),
    enabledByDefault: run("the guardrail is off", "A validator without `enabled` is off."),
    failOnViolation: run("obeyed", "Decides whether a violation throws."),
    validatorTypes: run(
      { known: new Set(ownTypes), ownNames, unknown: "the validator lets everything pass" },
      "`banned_words`, `max_length`, `min_length` and `regex_match`; a validator of another type lets everything pass.",
    ),
    sections: read("ignored", "`workflow`, `agents`, `evals`, `skills` and `compositions` are ignored."),
  },
};

export const langchainPython: Runtime = {
  name: "langchain-python",
  title: "LangChain Python",
  version: "November 2026",
  readIn: "November 2026",
  facts: {
    ...shared,
    placeholders: read(
      { forms: ["variable"], delimiters: "{{ and }}", passes: 1 },
      "`{{name}}` and `{{fragment:name}}`.",
    ),
    requiredUnbound: read("refused", "A required variable that is not given is refused."),
    fragments: read("{{fragment:name}}", "`{{fragment:name}}` is filled."),
    enabledByDefault: read("the pack is refused", "A pack in which a validator has no `enabled` is refused."),
    failOnViolation: read("obeyed", "Decides whether a violation throws."),
    validatorTypes: read(
      {
        known: new Set([...ownTypes, "json_schema", "sentiment", "toxicity", "pii_detection", "custom"]),
        ownNames,
        unknown: "the pack is refused",
      },
      "The four of LangChain.js; `json_schema`, `sentiment`, `toxicity`, `pii_detection` and `custom` let everything pass; a pack with another type is refused.",
    ),
    sections: read(
      "refused",
      "A pack with `workflow`, `agents`, `evals`, `skills` or `compositions` is refused.",
    ),
  },
};
