import { type Entry, Key, MappingNode, type Node, ScalarNode, SequenceNode } from "../node.js";

/** Deeper trees are left to a reader that does not recurse. */
const mostDepth = 400;

/**
 * The tree of a JSON text and of the value that `JSON.parse` made of it. No reader is as fast as the engine's own; as the
 * text is known to be well-formed, a look at quotes and brackets tells where everything stands. Nothing where the value
 * does not tell what is in the text: a key that occurs twice, keys that are numbers, keys with escapes.
 */
export function placeJson(text: string, value: unknown, maxDepth: number): Node | undefined {
  return new Placer(text, Math.min(maxDepth, mostDepth)).node(value, afterSpace(text, 0), 0);
}

class Placer {
  constructor(
    private readonly text: string,
    private readonly maxDepth: number,
  ) {}

  /** The node of a value that begins at `start`, where `depth` collections are open. */
  node(value: unknown, start: number, depth: number): Node | undefined {
    if (typeof value === "string") return this.string(value, start);
    if (typeof value !== "object" || value === null) return this.word(value, start);
    if (depth >= this.maxDepth) return undefined;
    return Array.isArray(value) ? this.sequence(value, start, depth) : this.mapping(value, start, depth);
  }

  private mapping(value: object, start: number, depth: number): Node | undefined {
    const { text } = this;
    if (text.charCodeAt(start) !== 123) return undefined;
    const names = Object.keys(value);
    const values: readonly unknown[] = Object.values(value);
    const entries: Entry[] = [];
    let at = afterSpace(text, start + 1);
    for (let i = 0; i < names.length; i++) {
      // Behind a comma nothing but a key can come.
      if (i > 0) at = text.charCodeAt(at) === 44 ? text.indexOf('"', at) : -1;
      const name = names[i] ?? "";
      const end = at + name.length + 2;
      if (text.charCodeAt(at) !== 34 || text.charCodeAt(end - 1) !== 34) return undefined;
      if (!text.startsWith(name, at + 1)) return undefined;
      const colon = text.charCodeAt(end) === 58 ? end : afterSpace(text, end);
      if (text.charCodeAt(colon) !== 58) return undefined;
      const node = this.node(values[i], afterSpace(text, colon + 1), depth + 1);
      if (node === undefined) return undefined;
      const key = new Key(name, at, end);
      key.value = node;
      node.key = key;
      entries.push({ key, value: node });
      at = afterSpace(text, node.end);
    }
    if (text.charCodeAt(at) !== 125 || isIndex(names[0])) return undefined;
    const mapping = new MappingNode(start, at + 1, entries);
    for (const entry of entries) entry.value.parent = mapping;
    return mapping;
  }

  private sequence(values: readonly unknown[], start: number, depth: number): Node | undefined {
    const { text } = this;
    if (text.charCodeAt(start) !== 91) return undefined;
    const items: Node[] = [];
    let at = afterSpace(text, start + 1);
    for (let i = 0; i < values.length; i++) {
      if (i > 0) {
        if (text.charCodeAt(at) !== 44) return undefined;
        at = afterSpace(text, at + 1);
      }
      const item = this.node(values[i], at, depth + 1);
      if (item === undefined) return undefined;
      item.key = i;
      items.push(item);
      at = afterSpace(text, item.end);
    }
    if (text.charCodeAt(at) !== 93) return undefined;
    const sequence = new SequenceNode(start, at + 1, items);
    for (const item of items) item.parent = sequence;
    return sequence;
  }

  private string(value: string, start: number): Node | undefined {
    const { text } = this;
    if (text.charCodeAt(start) !== 34) return undefined;
    // By its own end, not by the length of the value: where a key occurs twice, that is another's.
    return new ScalarNode(start, endOfString(text, start) + 1, value);
  }

  /** A number, or `true`, `false` or `null`. */
  private word(value: unknown, start: number): Node | undefined {
    const { text } = this;
    if (typeof value !== "number") {
      if (typeof value !== "boolean" && value !== null) return undefined;
      const word = String(value);
      return text.startsWith(word, start) ? new ScalarNode(start, start + word.length, value) : undefined;
    }
    let end = start;
    while (end < text.length && isOfNumber(text.charCodeAt(end))) end++;
    return end > start ? new ScalarNode(start, end, value) : undefined;
  }
}

function afterSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) break;
    at++;
  }
  return at;
}

/** The closing quote of the string whose opening quote stands at `start`. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

/** Whether an odd number of backslashes stands before. */
export function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === 92) first--;
  return (at - first) % 2 === 1;
}

/** Digits, `+`, `-`, `.`, `e` and `E`. */
function isOfNumber(code: number): boolean {
  return (code >= 48 && code <= 57) || code === 43 || code === 45 || code === 46 || (code | 32) === 101;
}

/** Such keys come first in an object, wherever they stand in the text. */
function isIndex(name: string | undefined): boolean {
  return name !== undefined && /^[0-9]/.test(name);
}
