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
import { readAgents } from "./agents.js";
import { analyzeArtifactUse } from "./artifact-use.js";
import type { ArtifactUse } from "./artifacts.js";
import { type Governance, readGovernance } from "./governance.js";
import { type Fragment, readEvals, readPrompt, readTool } from "./prompt.js";
import type { Pack } from "./pack.js";
import { readProviders } from "./providers.js";
import { analyzeTemplateUse, ReadingResolver, type TemplateUse } from "./template-use.js";
import { readWorkflow } from "./workflow.js";
import { readSkills } from "./skills.js";
import type { Spec } from "../schema/spec-version.js";
import { TemplateText } from "./template-text.js";
import { type ToolUse, analyzeToolUse } from "./tool-use.js";

/** Reads what is well-formed; the schema reports the rest. */
export function readPack(document: Document, root: MappingNode, spec: Spec): Pack {
  return new LazyPack(document, root, spec);
}

/** Derived facts are computed on first use. */
class LazyPack implements Pack {
  readonly templateSyntax: LocatedString | undefined;
  readonly delimiters: Syntax | undefined;
  readonly prompts: Pack["prompts"];
  readonly clearPrompts: Pack["clearPrompts"];
  readonly hasAllPrompts: boolean;
  readonly fragments: Pack["fragments"];
  readonly hasAllFragments: boolean;
  readonly tools: Pack["tools"];
  readonly hasTools: boolean;
  readonly hasAllTools: boolean;
  readonly evals: Pack["evals"];
  readonly hasAllEvals: boolean;
  readonly skills: Pack["skills"];
  readonly agents: Pack["agents"];
  readonly compositions: Pack["compositions"];
  readonly hasAllCompositions: boolean;
  readonly providers: Pack["providers"];
  readonly hasWorkflow: boolean;
  readonly workflow: Pack["workflow"];
  readonly readings: ReadingResolver;
  private foundOddNames: IrregularNames | undefined;
  private foundTemplates: TemplateUse | undefined;
  private foundArtifacts: ArtifactUse | undefined;
  private foundTools: ToolUse | undefined;
  private foundGovernance: Governance | undefined;
  private readonly unclear: Unclear;

  constructor(
    readonly document: Document,
    readonly root: MappingNode,
    readonly spec: Spec,
  ) {
    const unclear = (this.unclear = new Unclear(document, spec));
    const engine = asMapping(root.get("template_engine"));
    this.templateSyntax = LocatedString.of(engine?.get("syntax"));
    const delimiters = delimitersOf(root, engine, this.templateSyntax, unclear);
    this.delimiters = delimiters && { irregularNames: () => this.oddNames, ...delimiters };
    const template = (node: Node | undefined): TemplateText | undefined => {
      const text = LocatedString.of(node);
      return text === undefined ? undefined : new TemplateText(text, this.delimiters, document);
    };

    this.hasAllFragments = !unclear.hasProperty(root, "fragments");
    this.fragments = mapEntries(root.get("fragments"), (name, value): Fragment => ({
      name,
      template: unclear.has(value) ? undefined : template(value),
    }));
    this.readings = new ReadingResolver(this.fragments);
    this.prompts = mapEntries(root.get("prompts"), (key, value) => readPrompt(key, value, template, unclear));
    this.hasAllPrompts = this.prompts.size > 0 && !unclear.hasProperty(root, "prompts");
    this.clearPrompts = [...this.prompts.values()].filter(({ isUnclear }) => !isUnclear);
    this.tools = mapEntries(root.get("tools"), (key, value) => readTool(key, value, unclear));
    this.hasTools = root.get("tools") !== undefined;
    this.hasAllTools = !unclear.hasProperty(root, "tools");
    const evals = root.get("evals");
    this.evals = readEvals(evals, unclear);
    this.hasAllEvals = !(evals === undefined ? unclear.hasProperty(root, "evals") : unclear.hasWithin(evals));
    this.skills = readSkills(root, unclear);
    this.agents = readAgents(root, unclear);
    this.compositions = readCompositions(root, document, unclear);
    this.hasAllCompositions = !unclear.hasProperty(root, "compositions");
    this.providers = readProviders(root, unclear);
    const workflow = root.get("workflow");
    this.hasWorkflow = workflow !== undefined || unclear.hasProperty(root, "workflow");
    this.workflow = workflow?.kind === "mapping" ? readWorkflow(workflow, this, unclear) : undefined;
  }

  isUnknownPrompt(name: string): boolean {
    return this.hasAllPrompts && !this.prompts.has(name);
  }

  private get oddNames(): IrregularNames {
    return (this.foundOddNames ??= collectOddNames(this));
  }

  get templates(): TemplateUse {
    return (this.foundTemplates ??= analyzeTemplateUse(this));
  }

  get artifacts(): ArtifactUse {
    return (this.foundArtifacts ??= analyzeArtifactUse(this));
  }

  get toolUse(): ToolUse {
    return (this.foundTools ??= analyzeToolUse(this));
  }

  get governance(): Governance {
    return (this.foundGovernance ??= readGovernance(this, this.unclear));
  }
}

/** Names that a template can only recognize if it knows them, such as those with spaces. */
function collectOddNames({ fragments, workflow }: Pick<Pack, "fragments" | "workflow">): IrregularNames {
  const artifacts = (workflow?.states ?? []).flatMap((state) => state.artifacts.map(({ name }) => name.text));
  return {
    fragment: new Set([...fragments.keys()].filter(isIrregularName)),
    artifact: new Set(artifacts.filter(isIrregularName)),
  };
}

/** A pack without `template_engine` uses the usual syntax; one that breaks the schema may use any. */
function delimitersOf(
  root: MappingNode,
  engine: MappingNode | undefined,
  syntax: LocatedString | undefined,
  unclear: Unclear,
): Syntax | undefined {
  if (root.get("template_engine") === undefined) return defaultSyntax;
  if (engine === undefined || unclear.hasProperty(engine, "syntax")) return undefined;
  if (syntax === undefined) return defaultSyntax;
  const known = parseSyntax(syntax.text);
  return known ?? (namesDefaultSyntax(syntax.text) && hasDefaultSyntax(root) ? defaultSyntax : undefined);
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
