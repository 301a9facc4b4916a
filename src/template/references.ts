import type { Blocks } from "./blocks.js";
import type { Operand } from "./operands.js";
import { loneReference, named, type Path, referenceOf } from "./path.js";
import type { OddNames, Reference, Span } from "./template.js";
import { isThis, type Token } from "./tokens.js";
import { ends } from "./wrong-opening.js";

/** Longer ones are no name. */
const longestPhrase = 100;
const plainWord = /^[A-Za-z_]\w*$/;

/** What the tags of a template refer to: where it stands decides whether a name is one of the pack. */
export class References {
  readonly found: Reference[] = [];

  constructor(
    private readonly text: string,
    private readonly blocks: Blocks,
    private readonly odd: OddNames | undefined,
  ) {}

  /** A fragment: what it reads may be given to it, or be what its block is about. */
  addInclusion(reference: Reference, hasArguments: boolean): void {
    const scoped = hasArguments || this.blocks.inOwnContext;
    this.found.push(scoped ? { ...reference, scoped } : reference);
  }

  addAll(operands: Iterable<Operand>, certain = true): void {
    for (const operand of operands) this.addPath(operand.token.path, certain && operand.certain);
  }

  /** Of a tag that cannot be read it is not known what it does with the names in it; they may be used. */
  addNames(tokens: readonly Token[]): void {
    for (const token of tokens) {
      if (token.kind !== "path") continue;
      const reference = this.of(token.path);
      if (reference.kind === "name" && reference.local !== true)
        this.found.push({ ...reference, local: true });
    }
  }

  /** `{{customer name}}`, which may stand for a variable called `customer_name`. */
  addPhrase(tokens: readonly Token[]): void {
    const first = tokens[0];
    const last = tokens.at(-1);
    if (first === undefined || last === undefined || this.blocks.inOwnContext) return;
    if (last.end - first.start > longestPhrase) return;
    const words = tokens.map(({ start, end }) => this.text.slice(start, end));
    const phrase = { start: first.start, end: last.end };
    const name = this.text.slice(phrase.start, phrase.end);
    if (words.length > 1 && words.every((word) => plainWord.test(word)) && words.join(" ") === name)
      this.found.push({ ...named("name", this.text, phrase, phrase), local: true, words });
  }

  addPath(path: Path, certain: boolean): void {
    this.add(this.of(path), certain);
    this.addKeys(path);
  }

  /** Of a path that has a tag to itself. */
  addLone(path: Path, certain: boolean): void {
    this.add(loneReference(this.text, path, this.odd), certain);
    this.addKeys(path);
  }

  private addKeys({ head, second, keys }: Path): void {
    if (second !== undefined && !this.blocks.inOwnContext && isThis(this.text, head)) this.addKey(second);
    for (const key of keys) this.addKey(key);
  }

  private addKey(key: Span): void {
    const name = this.text.slice(key.start, key.end);
    if (!this.blocks.isLocal(name)) this.found.push({ ...named("name", this.text, key, key), local: true });
  }

  add(reference: Reference, certain: boolean): void {
    if (reference.kind === "artifact") this.found.push(reference);
    else if (reference.kind === "fragment") this.addInclusion(reference, false);
    else if (!this.blocks.isLocal(reference.name)) {
      const { name } = reference;
      const sure = certain && !this.blocks.inOwnContext && !ends.has(name) && name !== "this";
      this.found.push(sure ? reference : { ...reference, local: true });
    }
  }

  of(path: Path): Reference {
    return referenceOf(this.text, path, this.odd);
  }
}
