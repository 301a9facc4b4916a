import type { Place } from "../diagnostic.js";
import type { Comment, Document, DuplicateKey, Fault, Format, Repeated } from "./document.js";
import { LineMap } from "./line-map.js";
import type { Node, ScalarNode } from "./node.js";
import type { Refusal } from "./refusal.js";
import { Spelling } from "./scalar-offsets.js";
import { toValue } from "./to-value.js";

/** What a reader made of a text. */
interface Reading {
  readonly root?: Node;
  /** The plain data of the tree, where the reader has it. */
  readonly value?: unknown;
  readonly faults?: readonly Fault[];
  readonly duplicateKeys?: readonly DuplicateKey[];
  readonly comments?: readonly Comment[];
  readonly repeated?: Repeated;
  /** The reader stopped at a syntax error; there may be more of them. */
  readonly isBroken?: boolean;
}

const nothing: Repeated = { values: new Set(), merging: new Set() };

export class TextDocument implements Document {
  readonly lines: LineMap;
  readonly root: Node | undefined;
  readonly faults: readonly Fault[];
  readonly duplicateKeys: readonly DuplicateKey[];
  readonly comments: readonly Comment[];
  readonly repeated: Repeated;
  readonly isBroken: boolean;
  private plain: unknown;
  private spellings: Map<ScalarNode, Spelling> | undefined;

  constructor(
    readonly text: string,
    readonly format: Format,
    reading: Reading,
  ) {
    this.lines = new LineMap(text);
    this.root = reading.root;
    this.plain = reading.value;
    this.faults = reading.faults ?? [];
    this.duplicateKeys = reading.duplicateKeys ?? [];
    this.comments = reading.comments ?? [];
    this.repeated = reading.repeated ?? nothing;
    this.isBroken = reading.isBroken ?? false;
  }

  /** `before` are faults that were found until then. */
  static refused(
    text: string,
    format: Format,
    { fault, isSyntax }: Refusal,
    before: readonly Fault[] = [],
  ): TextDocument {
    return new TextDocument(text, format, { faults: [...before, fault], isBroken: isSyntax });
  }

  get value(): unknown {
    if (this.root !== undefined) this.plain ??= toValue(this.root);
    return this.plain;
  }

  within(scalar: ScalarNode, from: number, to: number): Place {
    const { pointer, start, end, value } = scalar;
    if (typeof value !== "string") return { pointer, start, end };
    const spelling = this.spellingOf(scalar, value.length);
    return { pointer, start: spelling.start(from), end: spelling.end(from, to) };
  }

  private spellingOf(scalar: ScalarNode, length: number): Spelling {
    const known = this.spellings?.get(scalar);
    if (known !== undefined) return known;
    const spelling = Spelling.of(this.text, scalar.source, length);
    (this.spellings ??= new Map()).set(scalar, spelling);
    return spelling;
  }
}
