import { type Composition, readComposition } from "../composition/composition.js";
import type { Document } from "../document/document.js";
import { asMapping, type Key, LocatedString, type MappingNode, type Node } from "../document/node.js";
import type { Spec } from "../schema/spec-version.js";
import type { Unclear } from "../schema/unclear.js";
import {
  defaultSyntax,
  type IrregularNames,
  isIrregularName,
  namesDefaultSyntax,
  parseSyntax,
  readTemplate,
  type Syntax,
} from "../template/read-template.js";
import { lazy } from "../text/collections.js";
import { readAgents, readProviders } from "./agents.js";
import { type Fragment, type Prompt, readEvals, readPrompt, readTool, TemplateText } from "./prompt.js";
import { readSkills } from "./skills.js";
import { readWorkflow, type Workflow } from "./workflow.js";

/** The content of a pack, as far as it is well-formed. Missing and ill-formed sections are empty or absent. */
export type PackParts = Readonly<ReturnType<typeof readParts>>;

export function readParts(document: Document, root: MappingNode, spec: Spec, unclear: Unclear) {
  /** False while the section breaks the schema: any name may then be in it. */
  const hasAll = (name: string): boolean => !unclear.hasProperty(root, name);
  const known = delimitersOf(root, unclear);
  // Names that a template can only recognize if it knows them, such as those with spaces.
  const irregularNames = lazy((): IrregularNames => {
    const artifacts = (workflow?.states ?? []).flatMap((state) => state.artifacts);
    return {
      fragment: new Set([...fragments.keys()].filter(isIrregularName)),
      artifact: new Set(artifacts.map(({ name }) => name.text).filter(isIrregularName)),
    };
  });
  const delimiters: Syntax | undefined = known && { irregularNames, ...known };
  const template = (node: Node | undefined): TemplateText | undefined => {
    const text = LocatedString.of(node);
    return text && new TemplateText(text, delimiters, document);
  };
  const fragments: ReadonlyMap<string, Fragment> = mapEntries(root.get("fragments"), (name, value) => ({
    name,
    template: unclear.has(value) ? undefined : template(value),
  }));
  const prompts: ReadonlyMap<string, Prompt> = mapEntries(root.get("prompts"), (key, value) =>
    readPrompt(key, value, template, unclear),
  );
  const hasAllPrompts = prompts.size > 0 && hasAll("prompts");
  const evals = root.get("evals");
  const agents = readAgents(root, unclear);
  const compositions: ReadonlyMap<string, Composition> = mapEntries(root.get("compositions"), (key, value) =>
    readComposition(key, value, document, unclear),
  );
  const tools = mapEntries(root.get("tools"), (key, value) => readTool(key, value, unclear));
  const section = asMapping(root.get("workflow"));
  const workflow: Workflow | undefined =
    section && readWorkflow(section, { spec, prompts, compositions, agents }, unclear);
  return {
    document,
    root,
    spec,
    templateSyntax: templateSyntaxOf(root),
    /** Absent when the declared syntax is not supported. */
    delimiters,
    prompts,
    clearPrompts: [...prompts.values()].filter(({ isUnclear }) => !isUnclear),
    hasAllPrompts,
    isUnknownPrompt: (name: string) => hasAllPrompts && !prompts.has(name),
    fragments,
    hasAllFragments: hasAll("fragments"),
    tools,
    hasTools: root.get("tools") !== undefined,
    /** Whether every name that a tool may have is known. */
    hasAllTools:
      hasAll("tools") && [...tools.values()].every(({ isUnclear, hasName }) => isUnclear || hasName),
    evals: readEvals(evals, unclear),
    hasAllEvals: unclear.isClearList(root, "evals", "id"),
    skills: readSkills(root, unclear),
    agents,
    compositions,
    steps: [...compositions.values()].flatMap(({ allSteps, unnamed }) => [...allSteps, ...unnamed]),
    hasAllCompositions: hasAll("compositions"),
    providers: readProviders(root, unclear),
    /** Whether there is one, or may be behind a key that the schema does not know. */
    hasWorkflow: root.get("workflow") !== undefined || !hasAll("workflow"),
    workflow,
  };
}

/** A pack without `template_engine` uses the usual syntax; one that breaks the schema may use any. */
function delimitersOf(root: MappingNode, unclear: Unclear): Syntax | undefined {
  if (root.get("template_engine") === undefined) return defaultSyntax;
  const engine = asMapping(root.get("template_engine"));
  if (engine === undefined || unclear.hasProperty(engine, "syntax")) return undefined;
  const syntax = templateSyntaxOf(root)?.text;
  if (syntax === undefined) return defaultSyntax;
  return (
    parseSyntax(syntax) ?? (namesDefaultSyntax(syntax) && hasDefaultSyntax(root) ? defaultSyntax : undefined)
  );
}

function templateSyntaxOf(root: MappingNode): LocatedString | undefined {
  return LocatedString.of(asMapping(root.get("template_engine"))?.get("syntax"));
}

/** Whether every template can be read with the default syntax and has no tags of other kinds. */
function hasDefaultSyntax(root: MappingNode): boolean {
  const fragments = asMapping(root.get("fragments"))?.entries.map(({ value }) => value) ?? [];
  const prompts = asMapping(root.get("prompts"))?.entries.map(({ value }) => asMapping(value)) ?? [];
  return [...fragments, ...prompts.map((prompt) => prompt?.get("system_template"))].every((node) => {
    const text = LocatedString.of(node)?.text ?? "";
    return !text.includes("{%") && readTemplate(text, defaultSyntax).errors.length === 0;
  });
}

function mapEntries<Value>(
  node: Node | undefined,
  read: (key: Key, value: Node) => Value,
): ReadonlyMap<string, Value> {
  const entries = asMapping(node)?.entries ?? [];
  return new Map(entries.map(({ key, value }) => [key.text, read(key, value)]));
}
