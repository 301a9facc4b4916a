import type { Finding } from "../../diagnostic.js";
import { LocatedString, type Node, placeOf } from "../../document/node.js";
import {
  findFragmentCycles,
  findUnusedVariables,
  type FragmentCycle,
  type Inclusion,
} from "../../pack/template-faults.js";
import { hasUnknownPromptReference, type Pack } from "../../pack/pack.js";
import { nameAfter, type Reading, referencedNames } from "../../pack/prompt.js";
import {
  hasVariableNamedFragments,
  mayIncludeAnyFragment,
  type OwnedTemplate,
  type UndeclaredVariable,
} from "../../pack/template-use.js";
import {
  describeVariable,
  findViolations,
  isEmptyRange,
  isValidVariableName,
  type Validation,
  type Violation,
} from "../../pack/variable.js";
import { patternError } from "../../pattern/pattern-error.js";
import { describeFound, quoteValue } from "../../schema/describe-node.js";
import { appendTo } from "../../text/collections.js";
import { nearestName } from "../../text/names.js";
import { capitalize, listNames, pluralize } from "../../text/wording.js";
import { rulesOf } from "../rule.js";
import { nearestChoice, replaceWordFix } from "../shared/fixes.js";
import {
  createReferenceSuggester,
  listPrompts,
  type KnownNames,
  namesKnownTo,
  type Suggestion,
  throughFragment,
} from "../shared/name-corrections.js";

export const templateRules = rulesOf("pack", {
  "template-engine": {
    summary: "The template syntax is one that this tool can read and check.",
    severity: "info",
    source: "RFC 0001, template engine",
    *check({ pack: { templateSyntax, delimiters } }) {
      if (templateSyntax === undefined || delimiters !== undefined) return;
      yield {
        at: templateSyntax,
        message: `The syntax ${quoteValue(templateSyntax.text)} is unknown to this tool, so it does not check the templates of this pack.`,
        advice: `It reads "{{variable}}", "\${variable}" and "{variable}".`,
      };
    },
  },
  "template-syntax": {
    summary: "Every reference and block of a template is complete and closed.",
    severity: "error",
    source: "RFC 0003, variable syntax",
    *check({ pack: { templates } }) {
      for (const { text } of templates.all)
        for (const fault of text.template.errors) yield { at: text.placeOf(fault), message: fault.message };
    },
  },
  "undeclared-variable": {
    summary: "Every variable that a prompt reads is declared by the prompt.",
    severity: "warning",
    fix: "unsafe",
    source: "RFC 0003, variable definitions",
    *check({ pack }) {
      const suggest = createReferenceSuggester(pack, maxSuggestions);
      const suggestionFor = ({ reading, prompts }: UndeclaredVariable) => {
        const known = namesKnownTo(prompts[0], pack);
        return suggestNamespace(reading, known, pack) ?? suggest(reading, known);
      };
      const byName = new Map<string, UndeclaredVariable[]>();
      for (const use of pack.templates.undeclared) appendTo(byName, use.reading.reference.name, use);
      for (const [name, uses] of byName) {
        const suggestions = uses.map(suggestionFor);
        // Elsewhere, it may be another name.
        const isSure = new Set(suggestions.map((suggestion) => suggestion?.fix?.description)).size === 1;
        for (const [index, use] of uses.entries()) {
          const { source, reference } = use.reading;
          const { advice, fix } = suggestions[index] ?? { advice: declareAdvice(name) };
          yield {
            at: source.placeOf(reference),
            message: undeclaredMessage(use),
            advice,
            ...(isSure && { fix }),
            group: { name, also: otherUseText(use) },
          };
        }
      }
    },
  },
  "unused-variable": {
    summary: "Every variable that a prompt declares is used by the prompt.",
    severity: "info",
    source: "RFC 0003, variable definitions",
    *check({ pack }) {
      if (pack.delimiters === undefined) return;
      const { open, close } = pack.delimiters;
      for (const { at, name, prompts } of findUnusedVariables(pack)) {
        const [declares, uses] = prompts.length === 1 ? ["declares", "uses"] : ["declare", "use"];
        const message = `${capitalize(listPrompts(prompts))} ${declares} the variable "${name}" but never ${uses} it.`;
        yield { at, message, advice: `Use it as ${open}${name}${close}, or remove it.` };
      }
    },
  },
  "duplicate-variable": {
    summary: "The variables of a prompt have different names.",
    severity: "error",
    source: "RFC 0003, variable definitions",
    *check({ pack: { clearPrompts } }) {
      for (const { variables, declared } of clearPrompts)
        for (const variable of variables) {
          const first = variable.name === undefined ? undefined : declared.get(variable.name.text);
          if (first === undefined || first === variable) continue;
          yield {
            at: placeOf(variable.node),
            message: `The variable "${first.name?.text ?? ""}" is already declared in this prompt.`,
            advice: "Keep one of them.",
            related: [{ at: placeOf(first.node), message: "it is first declared here" }],
          };
        }
    },
  },
  "unknown-fragment": {
    summary: "Every fragment that a template includes is in the pack.",
    severity: "error",
    fix: "unsafe",
    source: "RFC 0001, fragments",
    *check({ pack }) {
      const suggest = createReferenceSuggester(pack);
      for (const { kind, text, owner, reference } of pack.templates.unknownFragments) {
        const prompt = kind === "prompt" ? owner : undefined;
        const whose = kind === "prompt" ? `Prompt "${owner.key.text}"` : `Fragment "${owner.name.text}"`;
        const read = { source: text, reference };
        yield {
          at: text.placeOf(reference),
          message: `${whose} includes the fragment "${reference.name}", which is not in "fragments".`,
          ...suggest(read, namesKnownTo(prompt, pack)),
        };
      }
    },
  },
  "fragment-cycle": {
    summary: "No fragment includes itself, directly or through others.",
    severity: "error",
    source: "RFC 0001, fragments",
    *check({ pack }) {
      for (const ring of findFragmentCycles(pack)) {
        const { inclusions, closing } = ring;
        // In a long cycle, the fragment that the last one includes is unknown.
        const shown = ring.size === inclusions.length + 1 ? inclusions : inclusions.slice(0, -1);
        const related = shown.map((inclusion, index) => ({
          at: inclusionPlace(inclusion),
          message: `"${nameOf(inclusion)}" includes "${nameOf(inclusions[index + 1] ?? closing)}" here`,
        }));
        const advice = ring.size === 1 ? "Remove this reference." : "Remove one of these references.";
        yield { at: inclusionPlace(closing), message: cycleMessage(ring), advice, related };
      }
    },
  },
  "unused-fragment": {
    summary: "Every fragment is included by some template.",
    severity: "info",
    source: "RFC 0001, fragments",
    *check({ pack }) {
      const { fragments, prompts, delimiters, root } = pack;
      if (fragments.size === 0 || delimiters === undefined || prompts.size === 0) return;
      const { artifacts, templates } = pack;
      if (!templates.allResolved || hasUnknownPromptReference(pack) || templates.all.some(mayIncludeAny))
        return;
      // A dangling artifact may be a fragment.
      if (artifacts.promptsWithUndeclaredReads.size > 0) return;
      const references = templates.all.flatMap(({ text }) => text.template.references);
      const included = new Set(references.flatMap(({ kind, name }) => (kind === "artifact" ? [] : name)));
      const unnamed = [...fragments.values()].filter(
        ({ name, template }) => template !== undefined && !included.has(name.text),
      );
      if (unnamed.length === 0) return;
      const namedElsewhere = referencedNames(root, delimiters, ["name", "fragment"]);
      for (const { name } of unnamed) {
        if (namedElsewhere.has(name.text)) continue;
        yield {
          at: name,
          message: `No template includes the fragment "${name.text}".`,
          advice: /^[\w-]+$/u.test(name.text)
            ? `Include it as ${delimiters.open}fragments.${name.text}${delimiters.close}, or remove it.`
            : undefined,
        };
      }
    },
  },
  "variable-default": {
    summary:
      "The default and the example of a variable are values it accepts, and no required variable has a default.",
    severity: "warning",
    fix: "unsafe",
    source: "RFC 0003, validation rules",
    *check({ pack: { clearPrompts, delimiters, document } }) {
      const budget = { steps: patternSteps };
      for (const variable of clearPrompts.flatMap(({ variables }) => variables)) {
        const name = describeVariable(variable);
        if (variable.required?.value === true && variable.default !== undefined) {
          yield {
            at: placeOf(variable.default),
            message: "A required variable never uses its default.",
            advice: `Remove the default of ${name}, or make it optional.`,
          };
        }
        for (const what of ["default", "example"] as const) {
          const value = variable[what];
          // A value with a reference is only known once it is rendered.
          if (value === undefined || (delimiters && referencedNames(value, delimiters, allKinds).size > 0))
            continue;
          const text = LocatedString.of(value);
          for (const fault of findViolations(variable, value, budget)) {
            const message = `The ${what} of ${name} is ${violationText(fault, value, document.text)}`;
            const choice = text && fault.allowed && nearestChoice(document, text, fault.allowed);
            yield { at: placeOf(value), message, ...choice };
          }
        }
      }
    },
  },
  "variable-validation": {
    summary:
      "The validation of a variable can be met: its pattern compiles, and no minimum is above its maximum.",
    severity: "error",
    source: "RFC 0003, validation rules",
    *check({ pack: { clearPrompts } }) {
      for (const variable of clearPrompts.flatMap(({ variables }) => variables)) {
        const { validation } = variable;
        if (validation === undefined) continue;
        for (const fault of faultsOf(validation, describeVariable(variable)))
          yield { at: validation.at, ...fault };
      }
    },
  },
});

/** The search for the nearest name dominates the time, and nobody reads more suggestions. */
const maxSuggestions = 200;

function undeclaredMessage(use: UndeclaredVariable): string {
  const [reads, doesNot] = use.prompts.length === 1 ? ["reads", "does not"] : ["read", "do not"];
  const variable = `the variable "${use.reading.reference.name}"`;
  return `${capitalize(listPrompts(use.prompts))} ${reads} ${variable}${throughFragment(use.reading)}, but ${doesNot} declare it.`;
}

function otherUseText(use: UndeclaredVariable): string {
  const reads = use.prompts.length === 1 ? "reads" : "read";
  return `${capitalize(listPrompts(use.prompts))} ${reads} it here${throughFragment(use.reading)}`;
}

/** A template may read names that the schema does not allow. */
function declareAdvice(name: string): string {
  if (name === "artifacts" || name === "fragments") return `Say which one you mean: "${name}.<name>".`;
  return isValidVariableName(name)
    ? 'Add it to "variables".'
    : "Rename it and declare it: the name of a variable can only contain the letters A to Z, digits and underscores.";
}

const namespaces = ["artifacts", "fragments"];

/** `artifacts.plan` for `{{artifact.plan}}` and `{{artifacts:plan}}`, if there is an artifact of that name. */
function suggestNamespace(reading: Reading, known: KnownNames, { document }: Pack): Suggestion | undefined {
  const { reference, source } = reading;
  const name = nameAfter(reading) ?? nameAfter(reading, ":");
  if (name === undefined) return undefined;
  const space = namespaces.find((each) => each === reference.name) ?? nearestName(reference.name, namespaces);
  if (space === undefined || !known[space === "artifacts" ? "artifact" : "fragment"].has(name))
    return undefined;
  const { text } = source.text;
  const path = { start: reference.start, end: text.indexOf(name, reference.end) + name.length };
  const right = `${space}.${name}`;
  // The finding is shown at the first name alone, so the advice quotes the whole path.
  return {
    advice: `Write "${right}" instead of "${text.slice(path.start, path.end)}".`,
    ...replaceWordFix(document, source.text, path, right),
  };
}

const maxNamedFragments = 6;

function cycleMessage({ size, inclusions: [first, ...between], closing }: FragmentCycle): string {
  const last = `"${nameOf(closing)}"`;
  if (first === undefined) return `Fragment ${last} includes itself.`;
  const way = size === 2 ? "" : ` through ${listSome(between.map(nameOf), size - 2)}`;
  return `Fragment ${last} includes "${nameOf(first)}", which includes ${last}${way}: the text would never end.`;
}

/** A long cycle comes with only some of its names. */
function listSome(names: readonly string[], total: number): string {
  if (total <= maxNamedFragments) return listNames(names);
  const shown = names.slice(0, maxNamedFragments - 1).map((name) => `"${name}"`);
  return `${shown.join(", ")} and ${total - shown.length} more`;
}

function inclusionPlace({ fragment, reference }: Inclusion) {
  return fragment.template?.placeOf(reference) ?? fragment.name;
}

function nameOf({ fragment }: Inclusion): string {
  return fragment.name.text;
}

function mayIncludeAny(owned: OwnedTemplate): boolean {
  return !hasVariableNamedFragments(owned) && owned.text.template.references.some(mayIncludeAnyFragment);
}

const allKinds = ["name", "fragment", "artifact"] as const;

/** Steps of pattern matching per pack: far more than ordinary patterns need. */
const patternSteps = 5_000_000;

function violationText({ words, length }: Violation, value: Node, source: string): string {
  const subject =
    length === undefined ? describeFound(value, source) : `${pluralize(length, "character")} long`;
  return `${subject}, ${words}.`;
}

function* faultsOf(validation: Validation, variable: string): Iterable<Omit<Finding, "at">> {
  const { pattern, minLength, maxLength, minimum, maximum } = validation;
  const fault = pattern === undefined ? undefined : patternError(pattern.text);
  if (fault !== undefined) {
    const reason = fault === "" ? "." : `: ${fault}.`;
    yield { wants: "a pattern", message: `The pattern of ${variable} is not a regular expression${reason}` };
  }
  const ranges = [
    { what: "text", names: ["min_length", "max_length"], least: minLength, most: maxLength },
    { what: "number", names: ["minimum", "maximum"], least: minimum, most: maximum },
  ];
  for (const { what, names, least, most } of ranges) {
    if (!isEmptyRange(least, most)) continue;
    const limits = `its "${names[0]}" is ${least}, but its "${names[1]}" is ${most}`;
    yield { wants: what, message: `No ${what} can be valid for ${variable}: ${limits}.` };
  }
}
