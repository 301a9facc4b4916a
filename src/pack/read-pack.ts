import type { Document } from "../document/document.js";
import { asMapping, type Key, LocatedString, type MappingNode, type Node } from "../document/node.js";
import {
  defaultSyntax,
  type IrregularNames,
  isIrregularName,
  namesDefaultSyntax,
  parseSyntax,
  readTemplate,
  type Syntax,
} from "../template/read-template.js";
import { readCompositions } from "../composition/composition.js";
import { Unclear } from "../schema/unclear.js";
import { lazy } from "../text/collections.js";
import { readAgents } from "./agents.js";
import { analyzeArtifactUse } from "./artifact-use.js";
import { readGovernance } from "./governance.js";
import { type Fragment, readEvals, readPrompt, readTool } from "./prompt.js";
import type { Pack } from "./pack.js";
import { readProviders } from "./providers.js";
import { analyzeTemplateUse, ReadingResolver } from "./template-use.js";
import { readWorkflow } from "./workflow.js";
import { readSkills } from "./skills.js";
import { checkSchema } from "../schema/check-schema.js";
import type { Spec } from "../schema/spec-version.js";
import { TemplateText } from "./template-text.js";
import { analyzeToolUse } from "./tool-use.js";

/** Reads what is well-formed; the schema reports the rest. Derived facts are computed on first use. */
export function readPack(
  document: Document,
  root: MappingNode,
  spec: Spec,
  errors = checkSchema(document, spec),
): Pack {
  const unclear = new Unclear(document, errors);
  const hasAll = (name: string): boolean => !unclear.hasProperty(root, name);
  const oddNames = lazy(() => collectOddNames(pack));
  const known = delimitersOf(root, unclear);
  const delimiters = known && { irregularNames: oddNames, ...known };
  const template = (node: Node | undefined): TemplateText | undefined => {
    const text = LocatedString.of(node);
    return text === undefined ? undefined : new TemplateText(text, delimiters, document);
  };
  const fragments = mapEntries(root.get("fragments"), (name, value): Fragment => ({
    name,
    template: unclear.has(value) ? undefined : template(value),
  }));
  const prompts = mapEntries(root.get("prompts"), (key, value) => readPrompt(key, value, template, unclear));
  const hasAllPrompts = prompts.size > 0 && hasAll("prompts");
  const evals = root.get("evals");
  const agents = readAgents(root, unclear);
  const compositions = readCompositions(root, document, unclear);
  const workflow = root.get("workflow");
  const templates = lazy(() => analyzeTemplateUse(pack));
  const artifacts = lazy(() => analyzeArtifactUse(pack));
  const toolUse = lazy(() => analyzeToolUse(pack));
  const governance = lazy(() => readGovernance(pack, unclear));
  const pack: Pack = {
    document,
    root,
    spec,
    templateSyntax: templateSyntaxOf(root),
    delimiters,
    prompts,
    clearPrompts: [...prompts.values()].filter(({ isUnclear }) => !isUnclear),
    hasAllPrompts,
    isUnknownPrompt: (name) => hasAllPrompts && !prompts.has(name),
    fragments,
    hasAllFragments: hasAll("fragments"),
    tools: mapEntries(root.get("tools"), (key, value) => readTool(key, value, unclear)),
    hasTools: root.get("tools") !== undefined,
    hasAllTools: hasAll("tools"),
    evals: readEvals(evals, unclear),
    hasAllEvals: evals === undefined ? hasAll("evals") : !unclear.hasWithin(evals),
    skills: readSkills(root, unclear),
    agents,
    compositions,
    hasAllCompositions: hasAll("compositions"),
    providers: readProviders(root, unclear),
    hasWorkflow: workflow !== undefined || !hasAll("workflow"),
    workflow:
      workflow?.kind === "mapping"
        ? readWorkflow(workflow, { spec, prompts, compositions, agents }, unclear)
        : undefined,
    readings: new ReadingResolver(fragments),
    get templates() {
      return templates();
    },
    get artifacts() {
      return artifacts();
    },
    get toolUse() {
      return toolUse();
    },
    get governance() {
      return governance();
    },
  };
  return pack;
}

/** Names that a template can only recognize if it knows them, such as those with spaces. */
function collectOddNames({ fragments, workflow }: Pack): IrregularNames {
  const artifacts = (workflow?.states ?? []).flatMap((state) => state.artifacts.map(({ name }) => name.text));
  return {
    fragment: new Set([...fragments.keys()].filter(isIrregularName)),
    artifact: new Set(artifacts.filter(isIrregularName)),
  };
}

/** A pack without `template_engine` uses the usual syntax; one that breaks the schema may use any. */
function delimitersOf(root: MappingNode, unclear: Unclear): Syntax | undefined {
  if (root.get("template_engine") === undefined) return defaultSyntax;
  const engine = asMapping(root.get("template_engine"));
  const syntax = templateSyntaxOf(root);
  if (engine === undefined || unclear.hasProperty(engine, "syntax")) return undefined;
  if (syntax === undefined) return defaultSyntax;
  const known = parseSyntax(syntax.text);
  return known ?? (namesDefaultSyntax(syntax.text) && hasDefaultSyntax(root) ? defaultSyntax : undefined);
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
