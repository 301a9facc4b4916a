import type { Limits } from "../file-format.js";
import {
  type Event,
  EVENT_ID,
  type MappingEvent,
  type ScalarEvent,
  type SequenceEvent,
  YAMLException,
} from "js-yaml";
import {
  type DuplicateKey,
  type Entry,
  Key,
  MappingNode,
  type Node,
  ScalarNode,
  SequenceNode,
} from "../node.js";
import {
  type AliasInfo,
  type Fault,
  faultAt,
  nestedTooDeep,
  ParseError,
  tooManyValues,
} from "../document.js";
import { endOfBlockScalar, findBlockHeader, lineAt, skipSpaceAndComments } from "../scan-text.js";
import { createDocument, failedDocument, type TextDocument } from "../text-document.js";
import { Anchors, mergeEntries } from "./anchors.js";
import {
  coreTagName,
  findComments,
  findUnknownTags,
  parseLeniently,
  resolveScalar,
  scalarStyles,
  scalarText,
} from "./yaml-events.js";

export function readYaml(text: string, limits: Limits): TextDocument {
  const builder = new YamlBuilder(text, limits);
  let tags: readonly Fault[] = [];
  const faults = () => [...tags, ...builder.anchors.unknownAliases].sort((a, b) => a.start - b.start);
  try {
    const events = parseWithinLimits(text, limits);
    if (text.includes("!")) tags = findUnknownTags(text, events);
    // Only comments that contain directives matter.
    const comments = text.includes("promptpack-") ? [...findComments(text, events)] : [];
    // Popping frees each event while the tree grows: for a million keys, both take hundreds of megabytes.
    events.reverse();
    for (let event = events.pop(); event !== undefined; event = events.pop()) builder.handle(event);
    const { root, duplicates, aliases } = builder;
    const found = faults();
    if (found.length > 0) return createDocument(text, "yaml", { faults: found });
    if (root === undefined || (root.kind === "scalar" && root.start === root.end))
      throw ParseError.rejectionAt({ start: 0, end: 0 }, "The file is empty.", "no-object");
    return createDocument(text, "yaml", { root, duplicateKeys: duplicates, comments, aliases });
  } catch (error) {
    if (error instanceof ParseError) return failedDocument(text, "yaml", error, faults());
    throw error;
  }
}

function parseWithinLimits(text: string, limits: Limits): Event[] {
  try {
    const outcome = parseLeniently(text, () => countingDepthLimit(text, limits));
    if (!(outcome instanceof YAMLException)) return outcome;
    const { mark, reason } = outcome;
    const at = mark?.position ?? 0;
    throw reason.startsWith("nesting exceeded")
      ? nestedTooDeep(at, limits.maxDepth)
      : toSyntaxError(text, at, reason);
  } catch (error) {
    // No limit is named here: it was raised above what the stack allows, and raising it further would not help.
    if (error instanceof RangeError)
      throw ParseError.rejectionAt({ start: 0, end: 1 }, "The values are nested too deeply to be read.");
    throw error;
  }
}

function toSyntaxError(text: string, at: number, reason: string): ParseError {
  const { body } = lineAt(text, at);
  const isTab = text.charAt(body) === "\t" && reason.includes("indentation");
  const start = isTab ? body : at;
  const message = isTab ? tabMessage : `The file is not valid YAML: ${reason}.`;
  return ParseError.syntaxErrorAt({ start, end: Math.min(start + 1, text.length) }, message);
}

/**
 * The parser counts a scalar, or a flow collection in the place of a key, as one more level; the builder is exact. The
 * parser cannot be stopped otherwise, but it compares its depth with this limit at each value, so the limit counts them.
 */
function countingDepthLimit(text: string, { maxDepth, maxValues }: Limits): number {
  const depth = maxDepth + 2;
  if (text.length <= maxValues) return depth;
  let values = 0;
  const valueOf = (): number => {
    if (++values > maxValues) throw tooManyValues(0, maxValues);
    return depth;
  };
  return { valueOf } as unknown as number;
}

/** Builds the tree from the parser's events, which lack the ends of collections and the places of empty values. */
class YamlBuilder {
  readonly duplicates: DuplicateKey[] = [];
  private readonly mergingMappings = new Set<Node>();
  root: Node | undefined;
  private readonly open: (MappingNode | SequenceNode)[] = [];
  private readonly mergeKeys = new Set<Key>();
  readonly anchors: Anchors;
  private documents = 0;
  /** The end of what has been read, and of the last value or key in it. */
  private at = 0;
  private end = 0;

  constructor(
    private readonly text: string,
    private readonly limits: Limits,
  ) {
    this.anchors = new Anchors(limits);
  }

  get aliases(): AliasInfo {
    return { targets: this.anchors.aliased, mergingMappings: this.mergingMappings };
  }

  handle(event: Event): void {
    switch (event.type) {
      case EVENT_ID.DOCUMENT:
        return this.startDocument(event.explicitStart);
      case EVENT_ID.MAPPING:
      case EVENT_ID.SEQUENCE:
        return this.openCollection(event);
      case EVENT_ID.SCALAR:
        return this.scalar(event);
      case EVENT_ID.ALIAS:
        return this.alias(event.anchorStart, event.anchorEnd);
      case EVENT_ID.POP:
        return this.close();
    }
  }

  private startDocument(isMarked: boolean): void {
    const start = isMarked ? findStartMarker(this.text, this.at) : findBareStart(this.text, this.at);
    if (++this.documents > 1) throw secondDocumentError(this.text, start, isMarked);
    if (isMarked) this.at = start + 3;
  }

  private openCollection(event: MappingEvent | SequenceEvent): void {
    const { type, start } = event;
    if (this.expectsKey()) throw invalidKeyError(this.text, event);
    if (this.open.length >= this.limits.maxDepth) throw nestedTooDeep(start, this.limits.maxDepth);
    const node = type === EVENT_ID.MAPPING ? new MappingNode(start) : new SequenceNode(start);
    this.anchors.add(this.text, event, node);
    this.open.push(node);
    this.at = this.isFlow(node) ? start + 1 : start;
  }

  /** A block collection cannot start with a bracket, because only text can be a key. */
  private isFlow({ start }: Node): boolean {
    return "{[".includes(this.text.charAt(start));
  }

  private close(): void {
    const node = this.open.pop();
    if (node === undefined) return;
    const isFlow = this.isFlow(node);
    if (isFlow) this.at = skipSpaceAndComments(this.text, this.at, ",") + 1;
    if (node.kind === "mapping" && this.mergingMappings.has(node)) this.merge(node);
    this.add(node.close(isFlow ? this.at : this.end));
  }

  private merge(node: MappingNode): void {
    const isMerge = ({ key }: Entry): boolean => this.mergeKeys.has(key);
    for (const entry of node.entries) if (isMerge(entry)) this.anchors.aliased.add(entry.value);
    node.merge(mergeEntries(node.entries, isMerge));
  }

  private scalar(event: ScalarEvent): void {
    const isKey = this.expectsKey();
    const characters = scalarText(this.text, event);
    const isPlain = scalarStyles[event.style] === "plain";
    const tag = coreTagName(this.text, event);
    const node = this.scalarNode(event, resolveScalar(characters, isPlain, tag));
    this.anchors.add(this.text, event, node);
    if (!isKey) return this.add(node);
    const isMerge = characters === "<<" && ((isPlain && tag === undefined) || tag === "merge");
    this.key(characters, node.start, node.end, isMerge);
  }

  private scalarNode(event: ScalarEvent, value: ScalarNode["value"]): ScalarNode {
    const { valueStart: start, valueEnd: end, indent } = event;
    const style = scalarStyles[event.style];
    if (start < 0) {
      this.at = this.emptyValueOffset(event);
      return new ScalarNode(this.at, this.at, value, { style, start: this.at, end: this.at, indent: -1 });
    }
    const source = { style, start, end, indent };
    if (style === "literal" || style === "folded") {
      const head = findBlockHeader(this.text, this.afterProperties(event));
      this.at = end;
      return new ScalarNode(head, endOfBlockScalar(this.text, head, start, end), value, source);
    }
    const quote = style === "plain" ? 0 : 1;
    this.at = end + quote;
    return new ScalarNode(start - quote, this.at, value, source);
  }

  /** A missing value is placed right after its colon or dash. */
  private emptyValueOffset(event: ScalarEvent): number {
    if (event.tagStart >= 0 || event.anchorStart >= 0) return this.afterProperties(event);
    if (this.expectsKey()) return skipSpaceAndComments(this.text, this.at, ",?");
    const mark = skipSpaceAndComments(this.text, this.at);
    const expected = this.top === undefined ? undefined : this.top.kind === "mapping" ? ":" : "-";
    return this.text.charAt(mark) === expected ? mark + 1 : this.at;
  }

  private alias(nameStart: number, end: number): void {
    const alias = { name: this.text.slice(nameStart, end), start: nameStart - 1, end };
    this.at = end;
    if (!this.expectsKey()) return this.add(this.anchors.copy(alias, this.open.length));
    const { value, source } = this.anchors.scalarFor(alias);
    const characters = typeof value === "string" ? value : this.text.slice(source.start, source.end);
    this.key(characters, alias.start, end, false);
  }

  private key(characters: string, start: number, end: number, isMerge: boolean): void {
    const { top } = this;
    if (top?.kind !== "mapping") return;
    const key = new Key(characters, start, end);
    if (top.entries.length === 0 && !this.isFlow(top)) top.head = { start, end };
    if (isMerge) {
      this.mergeKeys.add(key);
      this.mergingMappings.add(top);
    }
    top.nextKey = key;
    this.end = end;
  }

  private add(node: Node): void {
    this.end = node.end;
    if (this.top === undefined) this.root ??= node;
    else this.top.add(node, this.duplicates);
  }

  private get top(): MappingNode | SequenceNode | undefined {
    return this.open[this.open.length - 1];
  }

  private expectsKey(): boolean {
    return this.top?.kind === "mapping" && this.top.nextKey === null;
  }

  private afterProperties(event: ScalarEvent): number {
    return Math.max(this.at, event.tagEnd, event.anchorEnd);
  }
}

/** Reported for a list or a mapping used as a key; an unquoted template is a syntax error, as there may be more. */
function invalidKeyError(text: string, { type, start }: MappingEvent | SequenceEvent): ParseError {
  const mark = { start, end: start + 1 };
  if (isTemplateStart(text, start) || isTemplateStart(text, start + 1))
    return ParseError.syntaxErrorAt(mark, templateMessage);
  const kind = type === EVENT_ID.MAPPING ? "mapping" : "list";
  return ParseError.rejectionAt(mark, `A ${kind} cannot be a key; write the key as text.`);
}

/** Unquoted templates in a valid part of the text: the parser reads them as a mapping in a mapping. */
export function findUnquotedTemplates(text: string, base: number, events: readonly Event[]): Fault[] {
  return events.flatMap((event) => {
    if (event.type !== EVENT_ID.MAPPING) return [];
    const start = base + event.start;
    return isTemplateStart(text, start) ? faultAt(start, start + 1, templateMessage) : [];
  });
}

const templateMessage = 'A mapping cannot be a key; put text that starts with "{{" in quotes.';

function isTemplateStart(text: string, start: number): boolean {
  return text.startsWith("{{", start - 1);
}

const startMarker = /^---(?=\s|$)/gm;
const endMarker = /^\.\.\.(?=\s|$)/gm;

function findStartMarker(text: string, from: number): number {
  startMarker.lastIndex = from;
  return startMarker.exec(text)?.index ?? from;
}

/** The first character of a document without `---`, after the `...` that ends the previous one. */
function findBareStart(text: string, from: number): number {
  endMarker.lastIndex = from;
  const marker = endMarker.exec(text);
  return marker === null ? from : skipSpaceAndComments(text, marker.index + 3);
}

function secondDocumentError(text: string, start: number, isMarked: boolean): ParseError {
  const span = { start, end: start + (isMarked ? 3 : 1) };
  if (!isMarked || skipSpaceAndComments(text, span.end) < text.length)
    return ParseError.rejectionAt(span, "The file holds several YAML documents.", "several-documents");
  const message = 'Nothing follows this "---", which would start a second document; remove the line.';
  return ParseError.rejectionAt(span, message);
}

export const tabMessage = "A tab cannot indent a line in YAML; use spaces.";
