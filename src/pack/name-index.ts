import type { Composition } from "../composition/composition.js";
import { atomsOf, type Reference as StepReference } from "../composition/predicate.js";
import type { Span } from "../diagnostic.js";
import { type Key, LocatedString, type Node } from "../document/node.js";
import { containsOffset } from "../document/pointers.js";
import type { Reference } from "../template/read-template.js";
import { appendTo, cached, firstByKey, getOrCreate } from "../text/collections.js";
import { type Pack, promptReferences, stateReferences } from "./pack.js";
import { type Fragment, type Prompt, stringReferences } from "./prompt.js";
import { DeclaredSkills } from "./skills.js";

interface Named<Kind, Scope> {
  readonly kind: Kind;
  /** Where its name must differ from others of its kind. */
  readonly scope: Scope;
  readonly name: string;
  /** An artifact may have several. */
  readonly declarations: readonly [Key | LocatedString, ...(Key | LocatedString)[]];
}

type PackWideKind =
  "state" | "prompt" | "tool" | "fragment" | "artifact" | "composition" | "provider" | "eval" | "skill";

export type NamedEntity = Named<PackWideKind, Pack> | Named<"variable", Prompt> | Named<"step", Composition>;

export interface NamedPlace {
  readonly at: Span;
  /** The name alone: `tone` of `fragments.tone`. */
  readonly name: Span;
  /** A place in a fragment may name a variable of each prompt that includes it. */
  readonly entities: Set<NamedEntity>;
}

/** Prompts with a variable of the same name; more would take too long. */
const maxSharing = 1_000;

export const namesIn = cached((pack: Pack) => new NameIndex(pack));

/** Where names are declared and used, for editors. */
export class NameIndex {
  private readonly uses = new Map<number, NamedPlace>();
  private readonly entities = new Map<object, NamedEntity>();
  /** Cached: a fragment is visited once per prompt that includes it. */
  private readonly places = new Map<Reference, Span>();

  constructor(readonly pack: Pack) {
    this.addDeclarations();
    this.addNames();
    this.addTools();
    this.addTemplates();
    this.addOtherStrings();
    this.addMentions();
    for (const composition of pack.compositions.values()) this.addComposition(composition);
  }

  /** The places that declare what is named, or is declared, at an offset. */
  declarationsAt(offset: number): readonly Span[] {
    return uniqueInOrder([...this.entitiesAt(offset)].flatMap(({ declarations }) => declarations));
  }

  /** The places that name what is named, or is declared, at an offset. */
  usesAt(offset: number): readonly Span[] {
    return uniqueInOrder(this.usesOf(this.entitiesAt(offset)).map(({ at }) => at));
  }

  usesOf(wanted: ReadonlySet<NamedEntity>): readonly NamedPlace[] {
    return [...this.uses.values()].filter(({ entities }) => [...entities].some((one) => wanted.has(one)));
  }

  placeAt(offset: number): NamedPlace | undefined {
    const entities = this.entitiesAt(offset);
    const declared = [...entities].flatMap(({ declarations }) =>
      declarations.map((at) => ({ at, name: at })),
    );
    const place = [...this.uses.values(), ...declared].find(({ at }) => containsOffset(at, offset));
    return place && { ...place, entities };
  }

  /** In file order. */
  ofKind(kind: string): readonly NamedEntity[] {
    return [...this.entities.values()].filter((entity) => entity.kind === kind);
  }

  /** How often each thing is declared and named, in file order: a rename must not change that. */
  get shape(): string {
    const counts = new Map([...this.entities.values()].map((entity) => [entity, 0]));
    for (const { entities } of this.uses.values())
      for (const entity of entities) counts.set(entity, (counts.get(entity) ?? 0) + 1);
    return [...counts]
      .map(([{ kind, declarations }, uses]) => `${kind} ${declarations.length} ${uses}`)
      .join();
  }

  private entitiesAt(offset: number): Set<NamedEntity> {
    const used = [...this.uses.values()].filter(({ at }) => containsOffset(at, offset));
    const declared = [...this.entities.values()].filter(({ declarations }) =>
      declarations.some((place) => containsOffset(place, offset)),
    );
    return new Set([...used.flatMap(({ entities }) => [...entities]), ...declared]);
  }

  /** A declaration that nothing uses still leads to itself. */
  private addDeclarations(): void {
    const { pack } = this;
    const { workflow, prompts, tools, fragments, artifacts, compositions, providers, evals, skills } = pack;
    const add = (entity: NamedEntity, key: object = entity.declarations[0]) => this.entities.set(key, entity);
    for (const { name } of workflow?.states ?? []) add(named("state", pack, name));
    for (const { key } of tools.values()) add(named("tool", pack, key));
    for (const { name } of fragments.values()) add(named("fragment", pack, name));
    for (const prompt of prompts.values()) {
      add(named("prompt", pack, prompt.key));
      for (const { name } of prompt.declared.values())
        if (name !== undefined) add(named("variable", prompt, name));
    }
    for (const composition of compositions.values()) {
      add(named("composition", pack, composition.key));
      for (const { id } of composition.allSteps)
        if (id instanceof LocatedString) add(named("step", composition, id));
    }
    for (const { key } of providers.required) add(named("provider", pack, key));
    for (const { id } of evals) if (id !== undefined) add(named("eval", pack, id));
    for (const source of skills.sources)
      add(named("skill", pack, source.kind === "path" ? source.path : source.name));
    for (const declarations of artifacts.declared.values()) {
      const [first, ...others] = declarations.map(({ artifact }) => artifact.name);
      if (first !== undefined) add(named("artifact", pack, first, ...others), declarations);
    }
  }

  private addNames(): void {
    const { workflow, prompts, evals, skills, compositions, providers, steps } = this.pack;
    this.linkAll(promptReferences(this.pack), (name) => prompts.get(name)?.key);
    this.linkAll(stateReferences(this.pack), (name) => workflow?.stateNamed(name)?.name);
    const declared = new DeclaredSkills(skills);
    for (const { skills: chosen, compositionName } of workflow?.states ?? []) {
      this.linkAll([chosen], (name) => declared.sourceOf(name));
      this.linkAll([compositionName], (name) => compositions.get(name)?.key);
    }
    for (const { provider } of [...prompts.values(), ...steps])
      this.linkAll([provider], (name) => providers.named(name)?.key);
    for (const { id, key } of prompts.values()) if (id?.text === key.text) this.linkOwn(id, key);
    const evalIds = evals.flatMap(({ id }) => id ?? []);
    const evalNamed = firstByKey(evalIds, ({ text }) => text);
    for (const step of steps) this.linkAll(step.evals, (name) => evalNamed.get(name));
  }

  /** A listed name that is not a tool may be an agent. */
  private addTools(): void {
    const { prompts, tools, toolUse, steps } = this.pack;
    for (const { name, key } of tools.values()) this.linkOwn(name, key);
    for (const { name, kind } of toolUse.listed) {
      const delegate = kind === "member" || kind === "prompt" ? prompts.get(name.text)?.key : undefined;
      this.link(name, toolUse.toolNamed(name.text)?.key ?? delegate);
    }
    const blocked = [...prompts.values()].flatMap(({ toolPolicy }) => toolPolicy?.blocklist ?? []);
    const called = steps.flatMap(({ tool, tools: listed = [], termination }) => [
      tool,
      ...listed,
      termination?.toolCalled,
    ]);
    this.linkAll([...blocked, ...called], (name) => toolUse.toolNamed(name)?.key);
  }

  private addTemplates(): void {
    const { prompts, fragments, readings } = this.pack;
    const reached = new Set<Fragment | undefined>();
    for (const prompt of prompts.values()) {
      for (const { reference, source, fragment } of readings.of(prompt)) {
        reached.add(fragment);
        this.addReference(reference, source.text, prompt);
      }
    }
    for (const fragment of fragments.values()) {
      const { template } = fragment;
      if (template === undefined || reached.has(fragment)) continue;
      for (const reference of template.template.references) this.addReference(reference, template.text);
    }
  }

  /** Evals and validators name variables, too; those of the pack apply to every prompt. */
  private addOtherStrings(): void {
    const { prompts, root } = this.pack;
    const declaring = new Map<string, Prompt[]>();
    for (const prompt of prompts.values()) {
      for (const name of prompt.declared.keys()) appendTo(declaring, name, prompt);
      for (const { key, value } of prompt.node?.entries ?? [])
        if (key.text !== "system_template" && key.text !== "model_overrides")
          this.addStrings(value, () => [prompt]);
    }
    for (const section of ["evals", "skills"])
      this.addStrings(root.get(section), (name) => (declaring.get(name) ?? []).slice(0, maxSharing));
  }

  /** The scenarios of a project name what its pack has. */
  private addMentions(): void {
    const { document, prompts, workflow, toolUse } = this.pack;
    const declared = {
      prompt: (name: string) => prompts.get(name)?.key,
      state: (name: string) => workflow?.stateNamed(name)?.name,
      tool: (name: string) => toolUse.toolNamed(name)?.key,
    };
    for (const { kind, name } of document.mentions?.() ?? []) this.link(name, declared[kind](name.text));
  }

  private addStrings(node: Node | undefined, promptsWith: (name: string) => readonly Prompt[]): void {
    const { delimiters } = this.pack;
    if (node === undefined || delimiters === undefined) return;
    for (const { source, reference } of stringReferences(node, delimiters)) {
      const prompts = promptsWith(reference === undefined ? source.text : headOf(reference));
      if (reference === undefined)
        for (const { declared } of prompts) this.link(source, declared.get(source.text)?.name);
      else
        for (const prompt of prompts.length > 0 ? prompts : [undefined])
          this.addReference(reference, source, prompt);
    }
  }

  private addReference(reference: Reference, source: LocatedString, prompt?: Prompt): void {
    const { kind, name, start, nameStart, nameEnd } = reference;
    const { fragments, artifacts, document } = this.pack;
    const head = headOf(reference);
    const variable = source.text.startsWith(head, start) ? prompt?.declared.get(head)?.name : undefined;
    const declared = kind === "artifact" ? artifacts.declared.get(name) : fragments.get(name)?.name;
    const placeWithin = (from: number, to: number) => document.placeWithin(source.node, from, to);
    const at = getOrCreate(this.places, reference, () => placeWithin(start, reference.end));
    if (variable !== undefined) this.link(at, variable, () => placeWithin(start, start + head.length));
    else this.link(at, declared, () => placeWithin(nameStart, nameEnd));
  }

  private addComposition(composition: Composition): void {
    const { allSteps, output, stepNamed } = composition;
    const named = allSteps.flatMap(({ then, otherwise, dependsOn }) => [then, otherwise, ...dependsOn]);
    this.linkAll([output, ...named], (id) => stepNamed(id)?.id);
    for (const { inputs, predicate } of allSteps) {
      const asked = atomsOf(predicate).flatMap(({ path }) => path.references);
      for (const reference of [...inputs, ...asked]) this.addStepReference(reference, composition);
    }
  }

  /** `${step.output}`, and the branch in `${parallel.output.into.branch}`. */
  private addStepReference({ path = [], source, start }: StepReference, { stepNamed }: Composition): void {
    const [root = "", , into, branch = ""] = path;
    const step = stepNamed(root);
    let at = source.text.indexOf(root, start);
    this.linkWithin(source, at, root, step?.id);
    if (step?.reduce?.strategy.text !== "barrier" || into !== step.reduce.into.text) return;
    at += path.slice(0, 3).join(".").length + 1;
    const nested = stepNamed(branch);
    if (nested?.parent === step) this.linkWithin(source, at, branch, nested.id);
  }

  private linkWithin(source: LocatedString, from: number, name: string, declared: Span | undefined): void {
    if (declared === undefined) return;
    this.link(this.pack.document.placeWithin(source.node, from, from + name.length), declared);
  }

  private linkAll(
    names: Iterable<Key | LocatedString | undefined>,
    declared: (name: string) => object | undefined,
  ): void {
    for (const name of names) this.link(name, name && declared(name.text));
  }

  /** In sources, the name is written once. */
  private linkOwn(name: LocatedString | undefined, key: Key): void {
    if (name?.start !== key.start) this.link(name, key);
  }

  /** `declared` is what the entity was added with. */
  private link(at: Span | undefined, declared: object | undefined, name?: () => Span): void {
    const entity = declared && this.entities.get(declared);
    if (at === undefined || entity === undefined) return;
    const use = this.uses.get(at.start) ?? { at, name: name?.() ?? at, entities: new Set() };
    use.entities.add(entity);
    this.uses.set(at.start, use);
  }
}

/** A variable called like a namespace hides it. */
function headOf({ kind, name }: Reference): string {
  return kind === "name" ? name : `${kind}s`;
}

function named<const Kind, Scope>(
  kind: Kind,
  scope: Scope,
  ...declarations: Named<Kind, Scope>["declarations"]
): Named<Kind, Scope> {
  return { kind, scope, name: declarations[0].text, declarations };
}

/** Each place once, in order: aliases repeat a place. */
function uniqueInOrder(places: readonly Span[]): readonly Span[] {
  return [...new Map(places.map((place) => [place.start, place])).values()].sort((a, b) => a.start - b.start);
}
