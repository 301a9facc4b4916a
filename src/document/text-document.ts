import type { Place } from "../diagnostic.js";
import type { Comment, Document, DuplicateKey, Fault, Format, AliasInfo } from "./document.js";
import { LineMap } from "./line-map.js";
import type { Node, ScalarNode } from "./node.js";
import type { ParseError } from "./refusal.js";
import { ScalarSourceMap } from "./scalar-offsets.js";
import { toValue } from "./to-value.js";

/** What a reader made of a text. */
interface ParseResult {
  readonly root?: Node;
  /** The plain data of the tree, where the reader has it. */
  readonly value?: unknown;
  readonly faults?: readonly Fault[];
  readonly duplicateKeys?: readonly DuplicateKey[];
  readonly comments?: readonly Comment[];
  readonly aliases?: AliasInfo;
  /** The reader stopped at a syntax error; there may be more of them. */
  readonly hasSyntaxError?: boolean;
}

const noAliases: AliasInfo = { targets: new Set(), mergingMappings: new Set() };

export class TextDocument implements Document {
  readonly lines: LineMap;
  readonly root: Node | undefined;
  readonly faults: readonly Fault[];
  readonly duplicateKeys: readonly DuplicateKey[];
  readonly comments: readonly Comment[];
  readonly aliases: AliasInfo;
  readonly hasSyntaxError: boolean;
  private plainData: unknown;
  private sourceMaps: Map<ScalarNode, ScalarSourceMap> | undefined;

  constructor(
    readonly text: string,
    readonly format: Format,
    reading: ParseResult,
  ) {
    this.lines = new LineMap(text);
    this.root = reading.root;
    this.plainData = reading.value;
    this.faults = reading.faults ?? [];
    this.duplicateKeys = reading.duplicateKeys ?? [];
    this.comments = reading.comments ?? [];
    this.aliases = reading.aliases ?? noAliases;
    this.hasSyntaxError = reading.hasSyntaxError ?? false;
  }

  /** `before` are faults that were found until then. */
  static failed(
    text: string,
    format: Format,
    { fault, isSyntax }: ParseError,
    before: readonly Fault[] = [],
  ): TextDocument {
    return new TextDocument(text, format, { faults: [...before, fault], hasSyntaxError: isSyntax });
  }

  get value(): unknown {
    if (this.root !== undefined) this.plainData ??= toValue(this.root);
    return this.plainData;
  }

  placeWithin(scalar: ScalarNode, from: number, to: number): Place {
    const { pointer, start, end, value } = scalar;
    if (typeof value !== "string") return { pointer, start, end };
    const spelling = this.sourceMapOf(scalar, value.length);
    return { pointer, start: spelling.start(from), end: spelling.end(from, to) };
  }

  private sourceMapOf(scalar: ScalarNode, length: number): ScalarSourceMap {
    const known = this.sourceMaps?.get(scalar);
    if (known !== undefined) return known;
    const spelling = ScalarSourceMap.of(this.text, scalar.source, length);
    (this.sourceMaps ??= new Map()).set(scalar, spelling);
    return spelling;
  }
}
