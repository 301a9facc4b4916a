import type { BlockStack } from "./blocks.js";
import type { Operand } from "./operands.js";
import { standaloneReference, createReference, type Path, referenceOf } from "./path.js";
import type { IrregularNames, Reference, Span } from "./template.js";
import { isThis, type Token } from "./tokens.js";
import { endKeywords } from "./wrong-opening.js";

/** Longer ones are no name. */
const maxPhraseLength = 100;
const plainWord = /^[A-Za-z_]\w*$/;

/** What the tags of a template refer to: where it stands decides whether a name is one of the pack. */
export class ReferenceCollector {
  readonly found: Reference[] = [];

  constructor(
    private readonly text: string,
    private readonly blocks: BlockStack,
    private readonly odd: IrregularNames | undefined,
  ) {}

  /** A fragment: what it reads may be given to it, or be what its block is about. */
  addInclusion(reference: Reference, hasArguments: boolean): void {
    const scoped = hasArguments || this.blocks.inChangedContext;
    this.found.push(scoped ? { ...reference, scoped } : reference);
  }

  addAll(operands: Iterable<Operand>, certain = true): void {
    for (const operand of operands) this.addPath(operand.token.path, certain && operand.certain);
  }

  /** Of a tag that cannot be read it is not known what it does with the names in it; they may be used. */
  addNames(tokens: readonly Token[]): void {
    for (const token of tokens) {
      if (token.kind !== "path") continue;
      const reference = this.resolve(token.path);
      if (reference.kind === "name" && reference.local !== true)
        this.found.push({ ...reference, local: true });
    }
  }

  /** `{{customer name}}`, which may stand for a variable called `customer_name`. */
  addPhrase(tokens: readonly Token[]): void {
    const first = tokens[0];
    const last = tokens.at(-1);
    if (first === undefined || last === undefined || this.blocks.inChangedContext) return;
    if (last.end - first.start > maxPhraseLength) return;
    const words = tokens.map(({ start, end }) => this.text.slice(start, end));
    const phrase = { start: first.start, end: last.end };
    const name = this.text.slice(phrase.start, phrase.end);
    if (words.length > 1 && words.every((word) => plainWord.test(word)) && words.join(" ") === name)
      this.found.push({ ...createReference("name", this.text, phrase, phrase), local: true, words });
  }

  addPath(path: Path, certain: boolean): void {
    this.add(this.resolve(path), certain);
    this.addKeys(path);
  }

  /** Of a path that has a tag to itself. */
  addStandalone(path: Path, certain: boolean): void {
    this.add(standaloneReference(this.text, path, this.odd), certain);
    this.addKeys(path);
  }

  private addKeys({ head, second, keys }: Path): void {
    if (second !== undefined && !this.blocks.inChangedContext && isThis(this.text, head)) this.addKey(second);
    for (const key of keys) this.addKey(key);
  }

  private addKey(key: Span): void {
    const name = this.text.slice(key.start, key.end);
    if (!this.blocks.isLocal(name)) this.found.push({ ...createReference("name", this.text, key, key), local: true });
  }

  add(reference: Reference, certain: boolean): void {
    if (reference.kind === "artifact") this.found.push(reference);
    else if (reference.kind === "fragment") this.addInclusion(reference, false);
    else if (!this.blocks.isLocal(reference.name)) {
      const { name } = reference;
      const sure = certain && !this.blocks.inChangedContext && !endKeywords.has(name) && name !== "this";
      this.found.push(sure ? reference : { ...reference, local: true });
    }
  }

  resolve(path: Path): Reference {
    return referenceOf(this.text, path, this.odd);
  }
}
