import type { Composition, Step } from "../composition/composition.js";
import { atomsOf } from "../composition/predicate.js";
import type { Reference as StepReference } from "../composition/references.js";
import type { Span } from "../diagnostic.js";
import type { LocatedString } from "../document/node.js";
import { containsOffset } from "../document/pointers.js";
import type { Reference } from "../template/read-template.js";
import { getOrCreate, lazy } from "../text/collections.js";
import { type Pack, promptReferences, stateReferences } from "./pack.js";
import type { Fragment, Prompt } from "./prompt.js";
import { DeclaredSkills } from "./skills.js";
import type { TemplateText } from "./template-text.js";

/** The places that declare something: an artifact may have several. */
type NamedEntity = readonly Span[];

interface Use {
  readonly at: Span;
  /** A place in a fragment may name a variable of each prompt that includes it. */
  readonly entities: Set<NamedEntity>;
}

/** Where names are declared and used, for editors. */
export class NameIndex {
  private readonly uses = new Map<number, Use>();
  private readonly entities = new Map<object, NamedEntity>();
  /** Cached: a fragment is visited once per prompt that includes it. */
  private readonly places = new Map<Reference, Span>();
  /** The first of each id. */
  private readonly evalIds = lazy(() => {
    const ids = this.pack.evals.flatMap(({ id }) => id ?? []);
    return new Map(ids.toReversed().map((id) => [id.text, id]));
  });

  constructor(private readonly pack: Pack) {
    this.addDeclarations();
    this.addNames();
    this.addTools();
    this.addTemplates();
    for (const composition of pack.compositions.values()) this.addComposition(composition);
  }

  /** The places that declare what is named, or is declared, at an offset. */
  declarationsAt(offset: number): readonly Span[] {
    return uniqueInOrder([...this.entitiesAt(offset)].flat());
  }

  /** The places that name what is named, or is declared, at an offset. */
  usesAt(offset: number): readonly Span[] {
    const wanted = this.entitiesAt(offset);
    const naming = [...this.uses.values()].filter(({ entities }) =>
      [...entities].some((one) => wanted.has(one)),
    );
    return uniqueInOrder(naming.map(({ at }) => at));
  }

  private entitiesAt(offset: number): ReadonlySet<NamedEntity> {
    const found = new Set<NamedEntity>();
    for (const { at, entities } of this.uses.values())
      if (containsOffset(at, offset)) for (const thing of entities) found.add(thing);
    for (const thing of this.entities.values())
      if (thing.some((place) => containsOffset(place, offset))) found.add(thing);
    return found;
  }

  /** A declaration that nothing uses still leads to itself. */
  private addDeclarations(): void {
    const { workflow, prompts, tools, fragments, artifacts, compositions, providers, evals } = this.pack;
    const named = [
      ...(workflow?.states ?? []).map(({ name }) => name),
      ...[...tools.values()].map(({ key }) => key),
      ...[...fragments.values()].map(({ name }) => name),
      ...[...prompts.values()].flatMap(({ key, declared }) => [
        key,
        ...[...declared.values()].map(({ name }) => name),
      ]),
      ...[...compositions.values()].flatMap(({ key, allSteps }) => [key, ...allSteps.map(({ id }) => id)]),
      ...providers.required.map(({ key }) => key),
      ...evals.map(({ id }) => id),
    ];
    for (const place of named) if (place !== undefined) this.entities.set(place, [place]);
    for (const declarations of artifacts.declared.values())
      this.entities.set(
        declarations,
        declarations.map(({ artifact }) => artifact.name),
      );
  }

  private addNames(): void {
    const { workflow, prompts, skills, compositions, providers } = this.pack;
    for (const name of promptReferences(this.pack)) this.link(name, prompts.get(name.text)?.key);
    for (const name of stateReferences(this.pack)) this.link(name, workflow?.stateNamed(name.text)?.name);
    const declared = new DeclaredSkills(skills);
    for (const { skills: chosen, compositionName } of workflow?.states ?? []) {
      this.link(chosen, chosen && declared.sourceOf(chosen.text));
      this.link(compositionName, compositionName && compositions.get(compositionName.text)?.key);
    }
    for (const { provider } of prompts.values())
      this.link(provider, provider && providers.named(provider.text)?.key);
  }

  /** A listed name that is not a tool may be an agent. */
  private addTools(): void {
    const { prompts, toolUse } = this.pack;
    for (const { name, kind } of toolUse.listed) {
      const delegate = kind === "member" || kind === "prompt" ? prompts.get(name.text)?.key : undefined;
      this.link(name, toolUse.toolNamed(name.text)?.key ?? delegate);
    }
    for (const { toolPolicy } of prompts.values())
      for (const name of toolPolicy?.blocklist ?? []) this.link(name, toolUse.toolNamed(name.text)?.key);
  }

  private addTemplates(): void {
    const { prompts, fragments, readings } = this.pack;
    const reached = new Set<Fragment | undefined>();
    for (const prompt of prompts.values()) {
      for (const { reference, source, fragment } of readings.of(prompt)) {
        reached.add(fragment);
        this.addReference(reference, source, prompt);
      }
    }
    for (const fragment of fragments.values()) {
      const { template } = fragment;
      if (template === undefined || reached.has(fragment)) continue;
      for (const reference of template.template.references) this.addReference(reference, template, undefined);
    }
  }

  private addReference(reference: Reference, source: TemplateText, prompt: Prompt | undefined): void {
    const { kind, name } = reference;
    const { fragments, artifacts } = this.pack;
    // A variable called like a namespace hides it.
    const head = kind === "name" ? name : `${kind}s`;
    const isHead = source.text.text.startsWith(head, reference.start);
    const variable = isHead ? prompt?.declared.get(head)?.name : undefined;
    const at = getOrCreate(this.places, reference, () => source.placeOf(reference));
    if (variable !== undefined) this.link(at, variable);
    else if (kind !== "artifact") this.link(at, fragments.get(name)?.name);
    else {
      const declarations = artifacts.declared.get(name);
      if (declarations !== undefined)
        this.addUse(at, declarations, () => declarations.map(({ artifact }) => artifact.name));
    }
  }

  private addComposition(composition: Composition): void {
    const { allSteps, output, stepNamed } = composition;
    const evalIds = this.evalIds();
    this.link(output, output && stepNamed(output.text)?.id);
    for (const step of allSteps) {
      for (const name of [step.then, step.otherwise, ...step.dependsOn])
        this.link(name, name && stepNamed(name.text)?.id);
      for (const name of step.evals) this.link(name, evalIds.get(name.text));
      this.addStepUses(step);
      const asked = step.predicate === undefined ? [] : [...atomsOf(step.predicate)];
      for (const reference of [...step.inputs, ...asked.flatMap(({ path }) => path.references)])
        this.addStepReference(reference, composition);
    }
  }

  private addStepUses({ promptTask, provider, tool, tools = [], termination }: Step): void {
    const { prompts, providers, toolUse } = this.pack;
    this.link(promptTask, promptTask && prompts.get(promptTask.text)?.key);
    this.link(provider, provider && providers.named(provider.text)?.key);
    for (const name of [tool, ...tools, termination?.toolCalled])
      this.link(name, name && toolUse.toolNamed(name.text)?.key);
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

  private link(at: Span | undefined, declared: Span | undefined): void {
    if (at !== undefined && declared !== undefined) this.addUse(at, declared, () => [declared]);
  }

  private addUse(at: Span, key: object, places: () => NamedEntity): void {
    const thing = getOrCreate(this.entities, key, places);
    const use = this.uses.get(at.start) ?? { at, entities: new Set() };
    use.entities.add(thing);
    this.uses.set(at.start, use);
  }
}

/** Each place once, in order: aliases repeat a place. */
function uniqueInOrder(places: readonly Span[]): readonly Span[] {
  return [...new Map(places.map((place) => [place.start, place])).values()].sort((a, b) => a.start - b.start);
}
