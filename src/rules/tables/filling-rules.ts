import { placeOf, stringOf } from "../../document/node.js";
import { type Way, waysIn } from "../../machine/ways-in.js";
import type { Pack } from "../../pack/pack.js";
import type { Variable } from "../../pack/variable.js";
import { isHandover, type State } from "../../pack/workflow.js";
import type { Prompt, TemplateText } from "../../pack/prompt.js";
import {
  fragmentName,
  fragmentSource,
  isKeptAtHandover,
  type Placeholder,
  placeholdersIn,
  unfilledForm,
} from "../../runtimes/fill.js";
import { type PlaceholderForm, type Runtime, titlesOf } from "../../runtimes/runtime.js";
import { truncateName } from "../../template/path.js";
import { defaultSyntax, type Syntax } from "../../template/read-template.js";
import { appendTo, partition } from "../../text/collections.js";
import { type Rule, rulesOf } from "../rule.js";

/** Whether runtimes fill in what a prompt leaves to them. */
export const fillingRules: readonly Rule[] = [
  ...rulesOf("pack", {
    "template-not-filled": {
      summary: "Every placeholder of a prompt has a form that the runtimes fill.",
      severity: "warning",
      source: "promptpack, runtimes",
      *check({ pack, target }) {
        const { delimiters, templates } = pack;
        if (delimiters === undefined || target.runtimes.length === 0) return;
        for (const { kind, text, owner } of templates.all) {
          if (kind !== "prompt") continue;
          const isOverride = text !== owner.systemTemplate;
          const runtimes = target.runtimes.filter(
            ({ facts }) => !isOverride || facts.modelOverrides === undefined,
          );
          for (const placeholder of placeholdersOf(text, owner, pack, delimiters, target.isChosen)) {
            const byForm = new Map<PlaceholderForm, Runtime[]>();
            for (const runtime of runtimes) {
              const form = unfilledForm(runtime, placeholder, delimiters);
              if (form !== undefined) appendTo(byForm, form, runtime);
            }
            for (const [form, failing] of byForm) {
              const claim = `"${oneLine(placeholder.source)}" ${formTexts[form]}`;
              yield {
                at: text.placeOf(placeholder),
                message: `${claim}, so ${unfilledText(form, failing)}.`,
                advice: fillAdvice(form, placeholder.content, delimiters, target.runtimes),
                group: { name: `${form} ${owner.key.text}`, also: `${claim}, too` },
              };
            }
          }
        }
      },
    },
  }),
  ...rulesOf("graph", {
    "variable-lost": {
      summary: "No state that a turn is handed over to needs a variable that only callers give.",
      severity: "info",
      source: "promptpack, runtimes",
      *check({ pack, workflow: { states }, target, entriesIn }) {
        for (const runtime of target.runtimes) {
          const facts = entriesIn(runtime);
          if (facts === undefined || runtime.facts.binds.value !== "no caller after a handover") continue;
          const ways = waysIn(facts, (from, to) => {
            const state = states[to];
            return state?.prompt !== undefined && isHandover(states[from], state);
          });
          const byPrompt = new Map<Prompt, [State, Way]>();
          for (const [index, way] of ways ?? []) {
            const state = states[index];
            if (state?.prompt === undefined || byPrompt.has(state.prompt)) continue;
            byPrompt.set(state.prompt, [state, way]);
          }
          for (const [prompt, [state, way]] of byPrompt) {
            for (const variable of prompt.isUnclear ? [] : lostVariables(prompt, pack, runtime)) {
              const name = `"${variable.name?.text ?? ""}"`;
              const isRequired = variable.required?.value === true;
              const which = isRequired ? "required variable" : "variable";
              const ends = isRequired
                ? "the turn fails"
                : `it ${leftoverTexts[runtime.facts.leftover.value]}`;
              yield {
                at: placeOf(variable.node),
                message: `When a turn is handed over to "${state.name.text}", ${runtime.title} does not bind the ${which} ${name}: ${ends}.`,
                advice: keepAdvice(variable),
                trace: way.run(),
                data: { runtime: runtime.name },
                group: {
                  name: runtime.name,
                  also: `nor is the ${which} ${name} of prompt "${prompt.key.text}" bound in "${state.name.text}"`,
                },
              };
            }
          }
        }
      },
    },
  }),
];

/** Those that a handover leaves unbound, and that matter: the runtime fills those with a binding itself. */
function lostVariables(
  prompt: Prompt,
  { fragments, artifacts }: Pack,
  runtime: Runtime,
): readonly Variable[] {
  const { systemTemplate } = prompt;
  const names = { variables: prompt.declared, fragments, artifacts: artifacts.declared };
  const read = new Set<string>();
  for (const placeholder of systemTemplate === undefined
    ? []
    : placeholdersIn(systemTemplate.text.text, defaultSyntax, names))
    if (unfilledForm(runtime, placeholder, defaultSyntax) === undefined) read.add(placeholder.content);
  return [...prompt.declared.values()].filter((variable) => {
    const { name: { text } = { text: "" }, required, isBound } = variable;
    // Unclear.
    if (required === undefined && variable.node.get("required") !== undefined) return false;
    if (isBound || text === "workflow_context" || stringOf(variable.default) !== undefined) return false;
    return !isKeptAtHandover(variable) && (required?.value === true || read.has(text));
  });
}

const formTexts: Readonly<Record<PlaceholderForm, string>> = {
  variable: "is a variable",
  artifact: "reads an artifact",
  blanks: "has blanks beside its name",
  filter: "has a filter",
  path: "reads a part of a value",
  block: "is part of a block",
  comment: "is a comment",
  fragment: "includes a fragment",
  delimiters: 'is not written as "{{name}}"',
  other: "is no variable",
};

/** The placeholders of a prompt, without those that another rule reports. */
function* placeholdersOf(text: TemplateText, owner: Prompt, pack: Pack, syntax: Syntax, isChosen: boolean) {
  const { fragments, artifacts } = pack;
  const { references, errors } = text.template;
  const names = { variables: owner.declared, fragments, artifacts: artifacts.declared };
  const faults = new Set(errors.map(({ start }) => start));
  // Without the double braces, a brace need not be a placeholder.
  const mayBeText = syntax.open !== "{{";
  const certain = new Set(
    references.flatMap(({ start, local }) => (mayBeText && local !== true ? start : [])),
  );
  const isKnown = ({ form, content }: Placeholder): boolean => {
    const [head = "", second = ""] = content.split(/[.[\]]/u, 2);
    if (form === "artifact") return artifacts.declared.has(content.slice("artifacts.".length));
    if (form === "path")
      return owner.declared.has(head) || (head === "artifacts" && artifacts.declared.has(second));
    return form !== "fragment" || (isChosen && fragments.has(fragmentName(content)));
  };
  for (const placeholder of placeholdersIn(text.text.text, syntax, names)) {
    const { form, start, source, content } = placeholder;
    if (mayBeText && !certain.has(start + source.indexOf(content))) continue;
    if (form === "other" && faults.has(start)) continue;
    if (isKnown(placeholder)) yield placeholder;
  }
}

function keepAdvice({ type, required }: Variable): string {
  if (type !== undefined && type.text !== "string") return "Hand it over as an artifact.";
  const first = required?.value === true ? "Make it optional, with a string as" : "Give it a string as";
  return `${first} its default, or hand it over as an artifact.`;
}

const leftoverTexts = {
  "all unfilled": "sends the whole prompt unfilled",
  "left as it is": "leaves it as it is",
} as const;

function unfilledText(form: PlaceholderForm, runtimes: readonly Runtime[]): string {
  const [unfilled, kept] = partition(
    runtimes,
    ({ facts }) => form !== "delimiters" && facts.leftover.value === "all unfilled",
  );
  const ends = [
    { doing: [leftoverTexts["all unfilled"], "send the whole prompt unfilled"], those: unfilled },
    { doing: [leftoverTexts["left as it is"], "leave it as it is"], those: kept },
  ];
  return ends
    .flatMap(({ doing: [one, several], those }) =>
      those.length === 0 ? [] : `${titlesOf(those)} ${those.length === 1 ? one : several}`,
    )
    .join(", and ");
}

function fillAdvice(
  form: PlaceholderForm,
  content: string,
  { open, close }: Syntax,
  runtimes: readonly Runtime[],
): string | undefined {
  switch (form) {
    case "blanks":
      return `Write "${open}${content}${close}".`;
    case "filter":
      return "Write the name alone.";
    case "path":
      return "Declare a variable for it.";
    case "block":
      return 'Write the text without blocks: only "{{name}}" is filled in.';
    case "comment":
      return "Remove it.";
    case "delimiters":
      return 'Write "{{name}}", here and in "template_engine".';
    case "fragment":
      return runtimes.map((runtime) => fragmentAdvice(runtime, content)).join(" ");
    case "other":
      return 'Only "{{name}}" is filled in.';
    default:
      return undefined;
  }
}

function fragmentAdvice({ title, facts }: Runtime, content: string): string {
  const source = fragmentSource(facts.fragments.value, content);
  return source === undefined ? `${title} reads no fragments.` : `${title} reads "${source}".`;
}

function oneLine(source: string): string {
  return truncateName(source.slice(0, 200).replaceAll(/\s*\n\s*/gu, " "));
}
