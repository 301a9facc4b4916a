/**
 * Globs matched in linear steps. Ignore files and configs come from repositories nobody has reviewed, and a
 * regular expression made from `*a*a*a*a*b` can be kept busy for ever.
 */
export interface GlobOptions {
  /** Whether `*` and `**` match names that begin with a dot. */
  readonly dot: boolean;
  /** Whether `{a,b}` stands for either. */
  readonly braces: boolean;
}

export type PathTest = (path: string) => boolean;

type Token =
  | { readonly kind: "star" }
  | { readonly kind: "any" }
  | { readonly kind: "one"; readonly accepts: (character: string) => boolean };
type Segment = "globstar" | readonly Token[];

/** No path is so long; what a pattern expands to is bounded in all. */
const longestPattern = 10_000;
const mostExpanded = 20_000;
const mostKept = 2_000;

/** A test for paths with `/` and without a leading one. */
export function compileGlob(pattern: string, options: GlobOptions): PathTest {
  if (pattern.length > longestPattern) return () => false;
  const patterns = options.braces ? expandBraces(pattern) : [pattern];
  const compile = (alternative: string): readonly Segment[] => splitSegments(alternative).map(compileSegment);
  const size = pattern.length * patterns.length;
  // A config may hold thousands of patterns that each stand for hundreds: those are compiled when they are needed.
  const kept = patterns.length === 1 || size <= mostKept ? patterns.map(compile) : undefined;
  return (path) => {
    const names = path.split("/");
    return patterns.some((alternative, index) =>
      matchPath(kept?.[index] ?? compile(alternative), names, options.dot),
    );
  };
}

export function isGlob(text: string): boolean {
  const bracket = text.search(/\[[^\]]/u);
  const hasSet = bracket >= 0 && text.lastIndexOf("]") > bracket + 1;
  return hasSet || hasWildcard(text);
}

/** Whether it cannot be a name, as one with brackets may be. */
export function hasWildcard(text: string): boolean {
  return /[*?]|\{[^{},]*,[^{}]*\}/u.test(text);
}

/** Innermost braces first; what would become too many alternatives stays as it is written. */
function expandBraces(pattern: string): readonly string[] {
  const most = mostExpanded / (pattern.length + 1);
  const done: string[] = [];
  const waiting = [pattern];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const match = /(?<!\\)\{([^{},]*,[^{}]*)\}/u.exec(next);
    if (match === null || done.length + waiting.length > most) {
      done.push(next);
      continue;
    }
    const before = next.slice(0, match.index);
    const after = next.slice(match.index + match[0].length);
    for (const choice of (match[1] ?? "").split(",").reverse()) waiting.push(before + choice + after);
  }
  return done;
}

/** A leading `./` says nothing. A `/` between brackets splits, too: no name has one to match it. */
function splitSegments(pattern: string): readonly string[] {
  return pattern.split("/").filter((segment, index) => segment !== "." || index > 0);
}

function compileSegment(segment: string): Segment {
  if (/^\*{2,}$/u.test(segment)) return "globstar";
  const tokens: Token[] = [];
  let mayClose = true;
  for (let i = 0; i < segment.length; i++) {
    const character = segment.charAt(i);
    const set = character === "[" && mayClose ? readSet(segment, i) : undefined;
    // Where this one is not closed, none behind it is.
    if (character === "[" && set === undefined) mayClose = false;
    if (set !== undefined) {
      tokens.push({ kind: "one", accepts: set.accepts });
      i = set.end;
    } else if (character === "*") {
      if (tokens.at(-1)?.kind !== "star") tokens.push({ kind: "star" });
    } else if (character === "?") {
      tokens.push({ kind: "any" });
    } else {
      const literal = character === "\\" && i + 1 < segment.length ? segment.charAt(++i) : character;
      tokens.push({ kind: "one", accepts: (other) => other === literal });
    }
  }
  return tokens;
}

interface CharacterSet {
  readonly accepts: (character: string) => boolean;
  readonly end: number;
}

/** The named classes of POSIX, for ASCII as in git. */
const classes: Readonly<Record<string, RegExp>> = {
  alnum: /[a-z\d]/iu,
  alpha: /[a-z]/iu,
  blank: /[ \t]/u,
  digit: /\d/u,
  lower: /[a-z]/u,
  punct: /[!-/:-@[-`{-~]/u,
  space: /[ \t-\r]/u,
  upper: /[A-Z]/u,
  xdigit: /[\da-f]/iu,
};

/** `[a-z]`, `[!a]`, `[^a]` or `[[:digit:]]`; a bracket that is never closed is an ordinary character. */
function readSet(segment: string, start: number): CharacterSet | undefined {
  let i = start + 1;
  const negated = segment.charAt(i) === "!" || segment.charAt(i) === "^";
  if (negated) i++;
  const ranges: (readonly [string, string])[] = [];
  const named: RegExp[] = [];
  for (const first = i; i < segment.length; i++) {
    if (segment.charAt(i) === "]" && i > first) {
      const has = (c: string) =>
        ranges.some(([low, high]) => low <= c && c <= high) || named.some((each) => each.test(c));
      return { accepts: (c) => has(c) !== negated, end: i };
    }
    const name = segment.startsWith("[:", i)
      ? /^[a-z]+(?=:\])/u.exec(segment.slice(i + 2, i + 10))?.[0]
      : undefined;
    const known = name === undefined ? undefined : classes[name];
    if (known !== undefined) {
      named.push(known);
      i += `[:${name}:`.length;
      continue;
    }
    if (segment.charAt(i) === "\\") i++;
    const low = segment.charAt(i);
    if (segment.charAt(i + 1) === "-" && !["]", ""].includes(segment.charAt(i + 2))) {
      i += segment.charAt(i + 2) === "\\" ? 3 : 2;
      ranges.push([low, segment.charAt(i)]);
    } else ranges.push([low, low]);
  }
  return undefined;
}

/** The last `**` gives way first: since it can take any names, no earlier one ever needs to. */
function matchPath(segments: readonly Segment[], names: readonly string[], dot: boolean): boolean {
  let s = 0;
  let retrySegment = -1;
  let retryName = 0;
  for (let n = 0; n < names.length;) {
    const segment = segments[s];
    const name = names[n] ?? "";
    if (segment === "globstar") {
      retrySegment = s++;
      retryName = n;
      // A closing `**` takes at least one name: `a/**` is what is in `a`.
      if (s === segments.length) {
        if (!dot && name.startsWith(".")) return false;
        retryName = ++n;
      }
    } else if (segment !== undefined && matchName(segment, name, dot)) {
      s++;
      n++;
    } else if (retrySegment >= 0 && (dot || !(names[retryName] ?? "").startsWith("."))) {
      s = retrySegment + 1;
      n = ++retryName;
    } else return false;
  }
  return s === segments.length;
}

function matchName(tokens: readonly Token[], name: string, dot: boolean): boolean {
  if (!dot && name.startsWith(".") && tokens[0]?.kind !== "one") return false;
  let t = 0;
  let retryToken = -1;
  let retryAt = 0;
  for (let i = 0; i < name.length;) {
    const token = tokens[t];
    if (token?.kind === "star") {
      retryToken = t++;
      retryAt = i;
    } else if (token !== undefined && (token.kind === "any" || token.accepts(name.charAt(i)))) {
      t++;
      i++;
    } else if (retryToken >= 0) {
      t = retryToken + 1;
      i = ++retryAt;
    } else return false;
  }
  while (tokens[t]?.kind === "star") t++;
  return t === tokens.length;
}
