/** A regular expression, as far as an engine without backtracking can run it. */
export type Expression =
  | { readonly kind: "character"; readonly accepts: (character: string) => boolean }
  | { readonly kind: "assertion"; readonly holds: (before: string, after: string) => boolean }
  | { readonly kind: "sequence"; readonly items: readonly Expression[] }
  | { readonly kind: "choice"; readonly items: readonly Expression[] }
  | { readonly kind: "repeat"; readonly item: Expression; readonly min: number; readonly max: number };

const maxNesting = 50;

const groupOpening = /\((?:\?:|\?P?<[A-Za-z_]\w*>|(?!\?))/y;
const quantifier = /(?:([*+?])|\{(\d{1,5})(,(\d{0,5}))?\})\??/y;
const knownEscape =
  /\\(?:[dDwWsStnrfv]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|u\{[0-9a-fA-F]{1,6}\}|[pP]\{[^{}]{1,60}\}|0(?!\d))/y;
/** `[]a]` and `[[:alpha:]]` mean different things in different dialects. */
const characterClass = /\[(?!\^?\])(?:[^\]\\[]|\[(?![:.=])|\\[^])*\]/y;
const unknownEscape = /\\(?:[^]|$)/;

const assertions: Readonly<Record<string, (before: string, after: string) => boolean>> = {
  "^": (before) => before === "",
  $: (_before, after) => after === "",
  "\\b": (before, after) => isWordCharacter(before) !== isWordCharacter(after),
  "\\B": (before, after) => isWordCharacter(before) === isWordCharacter(after),
};

/** Nothing for what needs backtracking (look-around, back-references) or means different things in other dialects. */
export function parsePattern(pattern: string): Expression | undefined {
  const parser = new PatternParser(pattern);
  const expression = parser.choice(0);
  return parser.isAtEnd ? expression : undefined;
}

class PatternParser {
  private at = 0;

  constructor(private readonly text: string) {}

  get isAtEnd(): boolean {
    return this.at === this.text.length;
  }

  choice(depth: number): Expression | undefined {
    if (depth > maxNesting) return undefined;
    const items: Expression[] = [];
    do {
      const item = this.sequence(depth);
      if (item === undefined) return undefined;
      items.push(item);
    } while (this.skip("|"));
    return { kind: "choice", items };
  }

  private sequence(depth: number): Expression | undefined {
    const items: Expression[] = [];
    while (!this.isAtEnd && !"|)".includes(this.text.charAt(this.at))) {
      const item = this.assertion() ?? this.repeated(depth);
      if (item === undefined) return undefined;
      items.push(item);
    }
    return { kind: "sequence", items };
  }

  private assertion(): Expression | undefined {
    const written =
      this.text[this.at] === "\\" ? this.text.slice(this.at, this.at + 2) : this.text.charAt(this.at);
    const holds = Object.hasOwn(assertions, written) ? assertions[written] : undefined;
    if (holds === undefined) return undefined;
    this.at += written.length;
    return { kind: "assertion", holds };
  }

  private repeated(depth: number): Expression | undefined {
    const item = this.atom(depth);
    const counts = item === undefined ? undefined : this.consume(quantifier);
    if (item === undefined || counts === undefined) return item;
    const [, sign, least = "0", comma, most = ""] = counts;
    if (sign !== undefined) {
      return { kind: "repeat", item, min: sign === "+" ? 1 : 0, max: sign === "?" ? 1 : Infinity };
    }
    const min = Number(least);
    const max = comma === undefined ? min : most === "" ? Infinity : Number(most);
    return min > max ? undefined : { kind: "repeat", item, min, max };
  }

  private atom(depth: number): Expression | undefined {
    const character = String.fromCodePoint(this.text.codePointAt(this.at) ?? 0);
    switch (character) {
      case "(":
        return this.group(depth);
      case "[":
        return characterSet(this.consume(characterClass)?.[0]);
      case "\\":
        return characterSet(this.consume(knownEscape)?.[0]) ?? this.escaped();
      case "*":
      case "+":
      case "?":
        return undefined;
      case "{":
        if (/[\d,]/.test(this.text.charAt(this.at + 1))) return undefined;
    }
    this.at += character.length;
    return character === "." ? characterSet(".") : literalCharacter(character);
  }

  private group(depth: number): Expression | undefined {
    if (this.consume(groupOpening) === undefined) return undefined;
    const inside = this.choice(depth + 1);
    return this.skip(")") ? inside : undefined;
  }

  /** A sign that would otherwise mean something; an escaped letter or digit means what its dialect says. */
  private escaped(): Expression | undefined {
    const character = String.fromCodePoint(this.text.codePointAt(this.at + 1) ?? 0);
    if (this.at + 1 >= this.text.length || /[\p{L}\p{N}]/u.test(character)) return undefined;
    this.at += 1 + character.length;
    return literalCharacter(character);
  }

  private skip(sign: string): boolean {
    if (this.text[this.at] !== sign) return false;
    this.at++;
    return true;
  }

  private consume(wanted: RegExp): RegExpExecArray | undefined {
    wanted.lastIndex = this.at;
    const match = wanted.exec(this.text) ?? undefined;
    if (match !== undefined) this.at += match[0].length;
    return match;
  }
}

function literalCharacter(character: string): Expression {
  return { kind: "character", accepts: (other) => other === character };
}

/** The language's own engine says which characters a class holds: on a single character it has nothing to retry. */
function characterSet(source: string | undefined): Expression | undefined {
  if (source === undefined || hasUnknownEscape(source)) return undefined;
  const tester = tryCompile(`^(?:${source})$`, "u") ?? tryCompile(`^(?:${source})$`, "");
  if (tester === undefined) return undefined;
  const known = new Map<string, boolean>();
  const accepts = (character: string): boolean => {
    let answer = known.get(character);
    if (answer === undefined) known.set(character, (answer = tester.test(character)));
    return answer;
  };
  return { kind: "character", accepts };
}

function hasUnknownEscape(source: string): boolean {
  const rest = source.replace(new RegExp(knownEscape.source, "g"), "").replace(/\\[^\p{L}\p{N}]/gu, "");
  return unknownEscape.test(rest);
}

export function tryCompile(pattern: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return undefined;
  }
}

function isWordCharacter(character: string): boolean {
  return /^\w$/.test(character);
}
