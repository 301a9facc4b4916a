import { copyKey, copyShifted } from "../document/shift.js";
import type { AliasInfo } from "../document/document.js";
import {
  asMapping,
  type DuplicateKey,
  isDuplicated,
  itemsOf,
  Key,
  LocatedString,
  MappingNode,
  type Node,
  ScalarNode,
  type ScalarValue,
  SequenceNode,
  type Span,
  stringOf,
} from "../document/node.js";
import { compareText } from "../diagnostic.js";
import { sourcesSchema } from "../schema/generated/schemas.js";
import { nearestProperty } from "../schema/unknown-property.js";
import { getOrCreate } from "../text/collections.js";
import { type Listed, type ProjectFiles, type SourceFile, specOf } from "./source-file.js";

/** A prompt or tool of a project, with the file and the part of it that it comes from. */
export interface Entry {
  /** Its key in the pack. */
  readonly name: Key;
  /** The task type of a prompt, as written in its file; undefined for a tool. */
  readonly taskType: LocatedString | undefined;
  readonly file: SourceFile;
  readonly spec: MappingNode;
  /** The reference that lists it; undefined if it is inline or linted alone. */
  readonly listed: Listed | undefined;
}

interface Origin {
  readonly file: SourceFile;
  readonly node: Node;
}

/** The defaults of the compiler. */
const defaults = {
  $schema: "https://promptpack.org/schema/latest/promptpack.schema.json",
  version: "v1.0.0",
  engine: { version: "v1", syntax: "{{variable}}", features: ["basic_substitution"] },
};

/** The pipeline that the compiler adds to every prompt. */
export const pipeline = {
  middleware: [
    { config: { allow_undefined: true, strict_mode: false }, type: "template" },
    {
      config: {
        retry_policy: { backoff: "exponential", initial_delay_ms: 100, max_retries: 3 },
        timeout_ms: 30000,
      },
      type: "provider",
    },
    { config: { collect_all_errors: true, fail_fast: false }, type: "validator" },
  ],
  stages: ["template", "provider", "validator"],
};

/** The parts of a prompt that the pack has as they are. */
const sharedParts: ReadonlySet<string> = new Set([
  ...["description", "version", "system_template", "tool_policy", "media", "parameters", "evals"],
]);

/** The parts of a head that the pack has, by their names there. */
const headParts = new Map([
  ["pack_evals", "evals"],
  ["workflow", "workflow"],
  ["compositions", "compositions"],
  ["agents", "agents"],
  ["skills", "skills"],
]);

/** The lists of files of a head, by what they are in the pack. */
const listParts = new Map([
  ["prompt_configs", "prompts"],
  ["tools", "tools"],
]);

/** The parts of a prompt and of a tool, by what they are in the pack. */
const promptParts = new Map([
  ["allowed_tools", "tools"],
  ...[...sharedParts, "variables", "validators"].map((name) => [name, name] as const),
]);
const toolParts = new Map([
  ["input_schema", "parameters"],
  ["description", "description"],
]);

/** The pack of a project as a tree. What the compiler adds has the place of the head's `kind`. */
export class Grafted {
  readonly root: MappingNode;
  readonly duplicateKeys: DuplicateKey[] = [];
  readonly prompts: Entry[] = [];
  readonly tools: Entry[] = [];
  /** Prompts and tools whose name an earlier one already has. */
  readonly repeated: Entry[] = [];
  /** Pointers of prompts and tools whose files or names cannot be read, which nothing is known about. */
  readonly unread = new Set<string>();
  /** By object, properties that the sources seem to provide, but that cannot be read. */
  readonly lacking = new Map<Node, Set<string>>();
  /** Task types by the ids by which a head lists their files, where these differ. */
  readonly otherNames = new Map<string, string>();
  readonly aliases: AliasInfo & { readonly targets: Set<Span>; readonly mergingMappings: Set<Node> } = {
    targets: new Set(),
    mergingMappings: new Set(),
  };
  hasTooManyValues = false;
  private readonly origins = new Map<Node, Origin>();
  private readonly copies = new Map<Node, Node>();
  private values = 0;
  /** Where the compiler's own values are. */
  private readonly made: Span;

  constructor(
    private readonly project: ProjectFiles,
    private readonly maxValues: number,
  ) {
    const { first, files } = project;
    const last = files.at(-1) ?? first;
    const head = asMapping(first.document.root);
    const { start, end } = head?.get("kind") ?? { start: 0, end: Math.min(1, first.document.text.length) };
    this.made = { start, end };
    this.root = new MappingNode(0, last.base + last.document.text.length);
    this.root.head = this.made;
    // Nobody can add to it, or change what the compiler adds.
    this.aliases.mergingMappings.add(this.root);
    if (head !== undefined) this.note(this.root, first, head);
    for (const { document, base } of files) {
      for (const span of document.aliases.targets)
        this.aliases.targets.add({ start: span.start + base, end: span.end + base });
    }
    this.fill();
    for (const { second } of files.flatMap(({ document }) => document.duplicateKeys)) {
      const key = second.value && this.copies.get(second.value)?.key;
      if (key instanceof Key) this.duplicateKeys.push({ first: key, second: key });
    }
  }

  originOf(node: Node): Origin | undefined {
    return this.origins.get(node);
  }

  copyOf(original: Node): Node | undefined {
    return this.copies.get(original);
  }

  private fill(): void {
    const { project, root } = this;
    const { head, first } = project;
    const spec = specOf(first.document);
    this.set(root, "$schema", this.scalar(defaults.$schema));
    const id = packId(first.path);
    this.set(root, "id", this.scalar(id));
    this.set(root, "name", this.scalar(id));
    this.set(root, "version", this.scalar(defaults.version));
    const prompts = this.mapping();
    for (const entry of this.promptEntries(head, spec)) this.addPrompt(prompts, entry);
    this.set(root, "description", this.scalar(`Pack containing ${prompts.entries.length} prompts`));
    this.set(root, "template_engine", this.templateEngine());
    this.set(root, "prompts", prompts);
    if (project.listed.some(({ list }) => list === "pack_file")) this.lacks(root, "prompts");
    const tools = this.mapping();
    if (first.kind === "Tool") this.addTool(tools, first, undefined);
    for (const each of project.listed) if (each.list === "tools") this.addTool(tools, each.file, each);
    if (tools.entries.length > 0) this.set(root, "tools", tools);
    this.addFragments();
    for (const { key, value } of head === undefined ? [] : (spec?.entries ?? [])) {
      const name = headParts.get(key.text);
      if (name === undefined || head === undefined) continue;
      const part = name === "skills" ? this.skills(value, head) : this.copy(value, head);
      this.setAt(root, copyKey(key, head.base, name), part);
    }
    if (head === undefined) return;
    if (spec === undefined) this.lacks(root, "prompts");
    this.addLacking(root, spec, "ArenaSpec", new Map([...headParts, ...listParts]));
    for (const [list, section] of listParts) {
      const value = spec?.get(list);
      const isRead = value === undefined || (value.kind === "sequence" && !isDuplicated(value));
      const isNamed = (item: Node) => LocatedString.of(asMapping(item)?.get("file")) !== undefined;
      if (!isRead || !itemsOf(value).every(isNamed)) this.lacks(root, section);
    }
  }

  private *promptEntries(head: SourceFile | undefined, spec: MappingNode | undefined) {
    const { project } = this;
    if (head === undefined) {
      if (project.first.kind === "PromptConfig")
        yield { file: project.first, spec, listed: undefined, id: undefined };
      return;
    }
    const seen = new Set<SourceFile>();
    for (const listed of project.listed) {
      const { list, item, file } = listed;
      // A file that is listed twice is one prompt.
      if (list !== "prompt_configs" || (file !== undefined && seen.has(file))) continue;
      if (file !== undefined) seen.add(file);
      const id = LocatedString.of(asMapping(item)?.get("id"));
      yield { file: file ?? head, spec: file && specOf(file.document), listed, id };
    }
    for (const { key, value } of asMapping(spec?.get("prompt_specs"))?.entries ?? [])
      yield { file: head, spec: asMapping(value), listed: undefined, id: undefined, key };
  }

  private addPrompt(
    prompts: MappingNode,
    {
      file,
      spec,
      listed,
      id,
      key,
    }: {
      readonly file: SourceFile;
      readonly spec: MappingNode | undefined;
      readonly listed: Listed | undefined;
      readonly id: LocatedString | undefined;
      readonly key?: Key;
    },
  ): void {
    const taskType = LocatedString.of(spec?.get("task_type"));
    // Without a task type, its name is a guess, which most projects confirm.
    const guess = id ?? LocatedString.of(asMapping(listed?.item)?.get("file")) ?? key;
    const base = (taskType === undefined ? (listed?.by ?? file) : file).base;
    const title = asMapping(asMapping(file.document.root)?.get("metadata"))?.get("name");
    const at = taskType ?? guess ?? LocatedString.of(title) ?? (spec && { text: "?", ...spec.head });
    if (at === undefined) return;
    const name = new Key(at.text, at.start + base, at.end + base);
    // Others may know it by another name than the guess.
    if (taskType === undefined || name.text === "") this.lacks(this.root, "prompts");
    if (spec === undefined) {
      this.addUnread(prompts, "prompts", name);
      return;
    }
    if (taskType !== undefined && id !== undefined && id.text !== taskType.text)
      this.otherNames.set(id.text, taskType.text);
    const prompt = this.rebuilt(spec, file);
    for (const { key: part, value } of spec.entries) {
      const to = part.text === "allowed_tools" ? "tools" : part.text;
      const change = changedItems.get(to);
      if (change !== undefined) this.setAt(prompt, copyKey(part, file.base), this.items(value, file, change));
      else if (to === "tools" || sharedParts.has(to))
        this.setAt(prompt, copyKey(part, file.base, to), this.copy(value, file));
    }
    this.addLacking(prompt, spec, "PromptSpec", promptParts);
    if (taskType !== undefined) this.set(prompt, "id", this.copy(taskType.node, file));
    if (title !== undefined && key === undefined) this.set(prompt, "name", this.copy(title, file));
    this.set(prompt, "pipeline", this.valueNode(pipeline));
    this.addEntry(prompts, this.prompts, { name, taskType, file, spec, listed }, prompt);
  }

  private addTool(tools: MappingNode, file: SourceFile | undefined, listed: Listed | undefined): void {
    const root = asMapping(file?.document.root);
    const isBare = root?.get("kind") === undefined && root?.get("spec") === undefined;
    const spec = isBare ? root : asMapping(root?.get("spec"));
    const name = LocatedString.of(isBare ? root?.get("name") : asMapping(root?.get("metadata"))?.get("name"));
    if (file === undefined || spec === undefined || name === undefined) {
      if (listed === undefined) return;
      const { text, start, end } = listed.reference.file;
      // The usual name of its file.
      const guess = text.replace(/^.*\//su, "").replace(/(?:\.tool)?\.\w+$/u, "");
      const { base } = listed.by;
      this.addUnread(tools, "tools", new Key(guess, start + base, end + base));
      return;
    }
    if (this.tools.some((each) => each.file === file)) return;
    const tool = this.rebuilt(spec, file);
    for (const { key, value } of spec.entries) {
      if (key.text === "input_schema")
        this.setAt(tool, copyKey(key, file.base, "parameters"), this.copy(value, file));
      else if (key.text === "description") this.setAt(tool, copyKey(key, file.base), this.copy(value, file));
    }
    if (!isBare) this.addLacking(tool, spec, "ToolSpec", toolParts);
    this.set(tool, "name", this.copy(name.node, file));
    const key = new Key(name.text, name.start + file.base, name.end + file.base);
    this.addEntry(tools, this.tools, { name: key, taskType: undefined, file, spec, listed }, tool);
  }

  private addEntry(owner: MappingNode, entries: Entry[], entry: Entry, value: Node): void {
    const { name } = entry;
    if (owner.get(name.text) !== undefined) this.repeated.push(entry);
    else entries.push(entry);
    this.setAt(owner, name, value);
  }

  /** Adds a prompt or tool that could not be read. Its value has a wrong type, so that rules skip it. */
  private addUnread(owner: MappingNode, section: string, key: Key): void {
    if (owner.get(key.text) !== undefined) return;
    const value = new ScalarNode(key.start, key.end, null);
    this.setAt(owner, key, value);
    this.unread.add(`/${section}${value.pointer}`);
    this.lacks(this.root, section);
  }

  private lacks(owner: Node, name: string): void {
    getOrCreate(this.lacking, owner, () => new Set()).add(name);
  }

  /** Notes the properties that the owner lacks because their keys are probably misspelt. */
  private addLacking(
    owner: Node,
    spec: MappingNode | undefined,
    shape: string,
    parts: ReadonlyMap<string, string>,
  ): void {
    const known = Object.keys(sourcesSchema().$defs?.[shape]?.properties ?? {});
    const absent = known.filter((name) => spec?.get(name) === undefined);
    for (const { key } of spec?.entries ?? []) {
      const meant = known.includes(key.text) ? undefined : nearestProperty(key.text, absent);
      const part = meant === undefined ? undefined : parts.get(meant);
      if (part !== undefined) this.lacks(owner, part);
    }
  }

  /** Taken from the first prompt by name that has one, whereas the compiler may take any. */
  private templateEngine(): Node {
    const named = this.prompts.toSorted((a, b) => compareText(a.name.text, b.name.text));
    const first = named.find(({ spec }) => spec.get("template_engine") !== undefined);
    const own = first?.spec.get("template_engine");
    if (first !== undefined && own !== undefined) return this.copy(own, first.file);
    return this.valueNode(defaults.engine);
  }

  /** A value of the compiler's own, which nobody can change. */
  private valueNode(value: unknown): Node {
    if (Array.isArray(value)) {
      const list = new SequenceNode(this.made.start, this.made.end);
      for (const item of value) list.add(this.valueNode(item));
      return list;
    }
    if (typeof value !== "object" || value === null) return this.scalar(value as ScalarValue);
    const mapping = this.mapping();
    this.aliases.mergingMappings.add(mapping);
    for (const [name, held] of Object.entries(value)) this.set(mapping, name, this.valueNode(held));
    return mapping;
  }

  private addFragments(): void {
    const fragments = this.mapping();
    for (const { file, spec } of this.prompts)
      for (const item of itemsOf(spec.get("fragments"))) {
        const name = LocatedString.of(asMapping(item)?.get("name"));
        if (name === undefined || fragments.get(name.text) !== undefined) continue;
        const text = this.project.fragmentOf(file, name.text)?.file;
        const key = new Key(name.text, name.start + file.base, name.end + file.base);
        const value = text === undefined ? this.reference(name, file) : wholeText(text);
        if (text !== undefined) this.note(value, text, value);
        this.setAt(fragments, key, value);
      }
    if (fragments.entries.length > 0) this.set(this.root, "fragments", fragments);
  }

  /** The placeholder that the compiler writes for a fragment. */
  private reference(name: LocatedString, { base }: SourceFile): Node {
    return new ScalarNode(name.start + base, name.end + base, `{{${name.text}}}`);
  }

  private skills(value: Node, head: SourceFile): Node {
    return this.items(value, head, (skill, item) => {
      const path = stringOf(item);
      if (path === undefined) return renameEntry(item, skill, "dir", "path");
      const entry = new MappingNode(skill.start, skill.end);
      entry.head = { start: skill.start, end: skill.end };
      const { base } = head;
      const scalar = item.kind === "scalar" ? item.shifted(base) : skill;
      return set(entry, new Key("path", item.start + base, item.end + base), scalar);
    });
  }

  /** A list whose items the compiler changes. */
  private items(value: Node, file: SourceFile, change: ChangeItem): Node {
    const { base } = file;
    if (value.kind !== "sequence") return this.copy(value, file);
    const list = new SequenceNode(value.start + base, value.end + base);
    list.head = { start: value.head.start + base, end: value.head.end + base };
    this.note(list, file, value);
    for (const item of value.items) {
      const copy = this.copy(item, file);
      const changed = change(copy, item, (scalar) => new ScalarNode(copy.start, copy.end, scalar));
      if (changed !== copy) {
        this.note(changed, file, item);
        if (changed.kind === "mapping" && copy.kind === "mapping") changed.origin = copy;
        for (const { key, value: original } of asMapping(item)?.entries ?? []) {
          const now = asMapping(changed)?.get(key.text);
          if (now !== undefined && now !== this.copies.get(original)) this.note(now, file, original);
        }
      }
      list.add(changed);
    }
    return list;
  }

  private copy(node: Node, file: SourceFile): Node {
    const { aliases } = file.document;
    return copyShifted(node, file.base, (copy, original) => {
      this.note(copy, file, original);
      if (aliases.mergingMappings.has(original)) this.aliases.mergingMappings.add(copy);
      this.hasTooManyValues ||= ++this.values > this.maxValues;
      return !this.hasTooManyValues;
    });
  }

  /** An empty mapping in the place of one that the compiler changes. Entries are added where that one is written. */
  private rebuilt(original: MappingNode, file: SourceFile): MappingNode {
    const { base } = file;
    const mapping = new MappingNode(base, base + file.document.text.length);
    mapping.head = { start: original.head.start + base, end: original.head.end + base };
    this.note(mapping, file, original);
    return mapping;
  }

  private mapping(): MappingNode {
    const mapping = new MappingNode(this.root.start, this.root.end);
    mapping.head = this.made;
    return mapping;
  }

  private scalar(value: ScalarValue): ScalarNode {
    return new ScalarNode(this.made.start, this.made.end, value);
  }

  private set(owner: MappingNode, name: string, value: Node): void {
    this.setAt(owner, new Key(name, this.made.start, this.made.end), value);
  }

  private setAt(owner: MappingNode, key: Key, value: Node): void {
    owner.nextKey = key;
    owner.add(value, this.duplicateKeys);
  }

  private note(copy: Node, file: SourceFile, node: Node): void {
    this.origins.set(copy, { file, node });
    this.copies.set(node, copy);
  }
}

/** As the compiler makes it of the name of the folder. */
function packId(path: string): string {
  const folder = path.split(/[\\/]/u).at(-2) ?? "";
  const plain = folder
    .toLowerCase()
    .replaceAll(" ", "-")
    .replace(/[^a-z0-9-]/gu, "");
  return plain.replace(/-+/gu, "-").replace(/^-|-$/gu, "");
}

export function graftPack(project: ProjectFiles, maxValues: number): Grafted {
  return new Grafted(project, maxValues);
}

type MakeScalar = (value: ScalarValue) => Node;
type ChangeItem = (copy: Node, original: Node, make: MakeScalar) => Node;

/** The compiler drops bindings, and the type is a string where there is none. */
function variableOf(copy: Node, item: Node, make: MakeScalar): Node {
  if (copy.kind !== "mapping" || item.kind !== "mapping") return copy;
  const variable = without(copy, "binding");
  if (variable.get("type") === undefined) set(variable, keyAt("type", copy), make("string"));
  return variable;
}

/** It turns a validator on unless the source does not, and moves its message into the parameters. */
function validatorOf(copy: Node, item: Node, make: MakeScalar): Node {
  if (copy.kind !== "mapping" || item.kind !== "mapping") return copy;
  const message = copy.entry("message");
  const params = message === undefined ? undefined : copy.entry("params");
  const validator = without(copy, "message", ...(params?.value.kind === "mapping" ? ["params"] : []));
  if (message !== undefined && (params === undefined || params.value.kind === "mapping")) {
    const moved = new MappingNode(copy.start, copy.end);
    moved.head = { start: message.key.start, end: message.key.end };
    for (const { key, value } of asMapping(params?.value)?.entries ?? []) set(moved, key, value);
    if (moved.get("message") === undefined) set(moved, message.key, message.value);
    set(validator, params?.key ?? keyAt("params", message.key), moved);
  }
  if (validator.get("enabled") === undefined) set(validator, keyAt("enabled", copy), make(true));
  return validator;
}

function renameEntry(item: Node, copy: Node, from: string, to: string): Node {
  if (copy.kind !== "mapping" || item.kind !== "mapping" || copy.get(from) === undefined || copy.get(to))
    return copy;
  const renamed = new MappingNode(copy.start, copy.end);
  renamed.head = copy.head;
  for (const { key, value } of copy.entries)
    set(renamed, key.text === from ? new Key(to, key.start, key.end) : key, value);
  return renamed;
}

function without(mapping: MappingNode, ...names: readonly string[]): MappingNode {
  const rest = new MappingNode(mapping.start, mapping.end);
  rest.head = mapping.head;
  for (const { key, value } of mapping.entries) if (!names.includes(key.text)) set(rest, key, value);
  return rest;
}

function keyAt(name: string, { start }: Span): Key {
  return new Key(name, start, start + 1);
}

function set(owner: MappingNode, key: Key, value: Node): MappingNode {
  owner.nextKey = key;
  owner.add(value, []);
  return owner;
}

/** The lists of a prompt whose items the compiler changes. */
const changedItems: ReadonlyMap<string, ChangeItem> = new Map([
  ["variables", variableOf],
  ["validators", validatorOf],
]);

/** The whole text of a file as one string. */
function wholeText({ base, document: { text } }: SourceFile): ScalarNode {
  const end = base + text.length;
  return new ScalarNode(base, end, text, { style: "plain", start: base, end, indent: -1 });
}
