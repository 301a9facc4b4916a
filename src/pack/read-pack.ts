import type { Document } from "../document/document.js";
import { isDoubled, type Key, type MappingNode, type Node } from "../document/node.js";
import { isOdd, type OddNames, type Syntax, syntaxOf, usualSyntax } from "../template/read-template.js";
import { readAgents } from "./agents.js";
import { artifactUse } from "./artifact-use.js";
import type { ArtifactUse } from "./artifacts.js";
import { readEvals } from "./eval.js";
import { indented } from "../meant/indented.js";
import { withLostSections } from "../meant/lost-sections.js";
import { withNamedStrays } from "../meant/named-strays.js";
import type { Pack } from "./pack.js";
import type { Fragment, Prompt } from "./prompt.js";
import { FollowedReadings } from "./readings.js";
import { readPrompt } from "./read-prompt.js";
import { readWorkflow } from "./read-workflow.js";
import { readSkills } from "./skill.js";
import type { Spec } from "./spec.js";
import { fields, isComplete, spelled, spelledMapping, unlessEmpty } from "../meant/spelled.js";
import { hasLostNames, startsOver } from "../meant/starts-over.js";
import { hasStrayWorkflow } from "../meant/stray-workflow.js";
import { withoutPrompts, withStrays } from "../meant/strays.js";
import { TemplateText } from "./template-text.js";
import { type TemplateUse, templateUse } from "./template-use.js";
import { asMapping, isKnown, stringOf, Text } from "../document/spelled-values.js";
import { readTool } from "./tool.js";
import { variableNamesIn } from "./variable.js";
import { type ToolUse, toolUse } from "./tool-use.js";

const none: ReadonlySet<string> = new Set();

/** Reads what is well-formed and leaves out the rest, which the schema reports. */
export function readPack(document: Document, root: MappingNode, spec: Spec): Pack {
  return new ReadPack(document, root, spec);
}

/** What follows from what is written is found when it is first asked for. */
class ReadPack implements Pack {
  readonly templateSyntax: Text | undefined;
  readonly delimiters: Syntax | undefined;
  readonly prompts: Pack["prompts"];
  /** Whether `prompts` is an object, written once; otherwise any name may be a prompt's. */
  readonly hasAllPrompts: boolean;
  readonly fragments: Pack["fragments"];
  readonly hasAllFragments: boolean;
  readonly tools: Pack["tools"];
  readonly hasTools: boolean;
  readonly hasAllTools: boolean;
  readonly evals: Pack["evals"];
  readonly skills: Pack["skills"];
  readonly agents: Pack["agents"];
  readonly hasWorkflow: boolean;
  readonly workflow: Pack["workflow"];
  readonly readings: FollowedReadings;
  private foundOddNames: OddNames | undefined;
  private foundTemplates: TemplateUse | undefined;
  private foundArtifacts: ArtifactUse | undefined;
  private foundTools: ToolUse | undefined;
  private foundLostIds: ReadonlySet<string> | undefined;

  constructor(
    readonly document: Document,
    readonly root: MappingNode,
    readonly spec: Spec,
  ) {
    const node = withNamedStrays(withLostSections(spelled(root, fields.pack)));
    const engine = node.get("template_engine");
    const read = spelledMapping(engine, fields.templateEngine);
    this.templateSyntax = isDoubled(engine) ? undefined : Text.once(read?.get("syntax"));
    const delimiters = delimitersOf(read ?? engine, this.templateSyntax);
    this.delimiters = delimiters && { oddNames: () => this.oddNames, ...delimiters };
    const template = (node: Node | undefined): TemplateText | undefined => {
      const text = Text.of(node);
      return text === undefined ? undefined : new TemplateText(text, this.delimiters, document);
    };

    const fragments = node.get("fragments");
    this.hasAllFragments = isComplete(fragments, "mapping");
    this.fragments = mapEntries(fragments, (name, value): Fragment => ({
      name,
      template: isDoubled(value) ? undefined : template(value),
    }));
    this.readings = new FollowedReadings(this.fragments);
    const others = [fragments, node.get("tools"), asMapping(node.get("agents"))?.get("members")];
    const prompts = unlessEmpty(
      withStrays(indented(node.get("prompts"), "prompt"), "prompt", [
        [root, fields.pack],
        ...others.map((section) => [section, none] as const),
      ]),
    );
    this.hasAllPrompts = isKnown(prompts, "mapping");
    // What stands in the pack may be meant for any prompt: the schema says where it belongs.
    const elsewhere = variableNamesIn(node.get("variables"));
    this.prompts = mapEntries(prompts, (key, value) => readPrompt(key, value, template, elsewhere));
    const isListed = listedIn(this.prompts);
    const ownTools = withoutPrompts(node.get("tools"), isListed);
    const tools = withStrays(indented(ownTools, "tool"), "tool", [], isListed);
    this.hasTools = node.get("tools") !== undefined;
    this.hasAllTools = !this.hasTools || (isKnown(tools, "mapping") && !hasLostNames(tools));
    this.tools = mapEntries(tools, readTool);
    this.evals = readEvals(node.get("evals"));
    this.skills = readSkills(node.get("skills"));
    this.agents = readAgents(node.get("agents"), (name) => this.prompts.has(name));
    const workflow = node.get("workflow");
    this.hasWorkflow = workflow !== undefined || hasStrayWorkflow(root);
    this.workflow =
      workflow?.kind === "mapping" && !isDoubled(workflow)
        ? readWorkflow(workflow, spec, this.prompts, this.agents)
        : undefined;
  }

  isUnknownPrompt(name: string): boolean {
    if (!this.hasAllPrompts || this.prompts.has(name)) return false;
    return !(this.foundLostIds ??= idsWithoutKey(this.prompts)).has(name);
  }

  private get oddNames(): OddNames {
    return (this.foundOddNames ??= oddNamesOf(this));
  }

  get templates(): TemplateUse {
    return (this.foundTemplates ??= templateUse(this));
  }

  get artifacts(): ArtifactUse {
    return (this.foundArtifacts ??= artifactUse(this));
  }

  get toolUse(): ToolUse {
    return (this.foundTools ??= toolUse(this));
  }
}

/** The ids of prompts without a key of their own, which another has, too, or which is missing: what names such an id is not wrong. */
function idsWithoutKey(prompts: ReadonlyMap<string, Prompt>): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { key, node } of prompts.values()) {
    if (node === undefined || (!key.isDoubled && !startsOver(node))) continue;
    const id = stringOf(node.get("id"));
    if (id !== undefined) ids.add(id);
  }
  return ids;
}

/** The names in a pack that templates can only be told to mean by who knows them. */
function oddNamesOf({ fragments, workflow }: Pick<Pack, "fragments" | "workflow">): OddNames {
  const artifacts = (workflow?.states ?? []).flatMap((state) => state.artifacts.map(({ name }) => name.text));
  return {
    fragment: new Set([...fragments.keys()].filter(isOdd)),
    artifact: new Set(artifacts.filter(isOdd)),
  };
}

/** A syntax that is written, but cannot be read, may be any. */
function delimitersOf(engine: Node | undefined, syntax: Text | undefined): Syntax | undefined {
  if (syntax !== undefined) return syntaxOf(syntax.text);
  const isSilent = engine?.kind === "mapping" && !isDoubled(engine) && engine.get("syntax") === undefined;
  return engine === undefined || isSilent ? usualSyntax : undefined;
}

function listedIn(prompts: Pack["prompts"]): (name: string) => boolean {
  const names = new Set([...prompts.values()].flatMap(({ tools }) => tools.map(({ text }) => text)));
  return (name) => names.has(name);
}

function mapEntries<Value>(
  node: Node | undefined,
  read: (key: Key, value: Node) => Value,
): ReadonlyMap<string, Value> {
  const entries = asMapping(node)?.entries ?? [];
  return new Map(entries.map(({ key, value }) => [key.text, read(key, value)]));
}
