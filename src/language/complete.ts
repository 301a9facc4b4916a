import type { Span } from "../diagnostic.js";
import type { Format } from "../document/file-format.js";
import { formatScalar } from "../document/new-entry.js";
import { endOfMatch } from "../document/scan-text.js";
import { namesIn } from "../pack/name-index.js";
import type { Pack } from "../pack/pack.js";
import { fieldsOfStep } from "../schema/pack-places.js";
import type { SchemaPart } from "../schema/validator.js";
import { documentation, formsAt, formsOf, valuesOf } from "./schema-keys.js";
import type { TypedPlace } from "./half-typed.js";

export interface Completion {
  readonly label: string;
  /** `key`, `value`, or the kind of thing that it names. */
  readonly kind: string;
  readonly documentation?: string | undefined;
  /** The part of the text that `text` replaces. */
  readonly replaced: Span;
  readonly text: string;
}

interface CompletionContext {
  readonly text: string;
  readonly format: Format;
  /** The rest of the file; undefined if it cannot be read. */
  readonly pack: Pack | undefined;
  /** At the version that the pack is checked against. */
  readonly schema: SchemaPart;
}

export function complete(place: TypedPlace, context: CompletionContext): readonly Completion[] {
  const completer = new Completer(place, context);
  const items = completer.references() ?? [...completer.keys(), ...completer.values()];
  return [...new Map(items.map((item) => [item.label, item])).values()];
}

const stepSyntax = { open: "${", close: "}" };
const restOfName = /[\w-]*/y;
const fragmentName = /(?:\bfragments\.|\bfragment:\s*|^[-~\s]*>\s*)([\w-]*)$/;
const artifactName = /\bartifacts\.([\w-]*)$/;
const firstName = /(?:^|[^\w.:-])(\w*)$/;

type OfferedName = Pick<Completion, "label" | "kind">;

class Completer {
  constructor(
    private readonly place: TypedPlace,
    private readonly context: CompletionContext,
    private readonly forms = formsAt(context.schema, place.path),
  ) {}

  *keys(): Generator<Completion> {
    const { siblings, path, word, expects } = this.place;
    const { schema, text, format } = this.context;
    if (expects === "value") return;
    const typed = text.slice(word.start, word.end);
    const kind = path[0] === "compositions" ? siblings.get("kind") : undefined;
    const fields = kind === undefined ? undefined : fieldsOfStep(kind);
    const isFree = (name: string) => name === typed || !siblings.has(name);
    for (const { properties = {}, "x-keys": named = "" } of this.forms) {
      for (const [key, part] of Object.entries(properties)) {
        if (!isFree(key) || fields?.includes(key) === false) continue;
        const forms = formsOf(part, schema);
        const isBlock = format === "yaml" && forms.some(({ type }) => type === "object" || type === "array");
        yield this.item(key, "key", isBlock ? ":" : ": ", documentation(forms[0] ?? part));
      }
      for (const name of this.names(named)) if (isFree(name)) yield this.item(name, named, ": ");
    }
  }

  *values(): Generator<Completion> {
    if (this.place.expects === "key") return;
    for (const form of this.forms) {
      const { type, "x-names": named = "" } = form;
      for (const label of type === "boolean" ? ["true", "false"] : [])
        yield { label, kind: "value", replaced: this.place.word, text: label };
      for (const value of valuesOf(form)) yield this.item(value, "value");
      for (const name of this.names(named)) yield this.item(name, named);
    }
  }

  /** Inside an open `{{` or, in a composition, `${`; undefined anywhere else. */
  references(): readonly Completion[] | undefined {
    const { before, path, word } = this.place;
    const { text, pack } = this.context;
    const isStep = path[0] === "compositions";
    const syntax = isStep ? stepSyntax : pack?.delimiters;
    const at = syntax === undefined ? -1 : before.lastIndexOf(syntax.open);
    if (syntax === undefined || at === -1 || before.includes(syntax.close, at)) return undefined;
    const inner = before.slice(at + syntax.open.length);
    const [typed, names] = isStep ? this.stepNames(inner.trimStart()) : this.templateNames(inner);
    const offset = word.start + before.length;
    const end = endOfMatch(restOfName, text, offset) ?? offset;
    const close = /^[\w.-]*\s*\}/.test(text.slice(end, end + 100)) ? "" : syntax.close;
    const replaced = { start: offset - typed.length, end };
    const shorten = (label: string) => (text[end] === "." ? label.replace(/\..*/, "") : label);
    return names.map((name) => ({ ...name, replaced, text: shorten(name.label) + close }));
  }

  private stepNames(inner: string): readonly [typed: string, readonly OfferedName[]] {
    const [root = "", field, ...more] = inner.split(".");
    const steps = this.names("step");
    const outputs = steps.map((id) => ({ label: `${id}.output`, kind: "step" }));
    if (field === undefined) return [root, [{ label: "input", kind: "value" }, ...outputs]];
    return [field, steps.includes(root) && more.length === 0 ? [{ label: "output", kind: "value" }] : []];
  }

  private templateNames(inner: string): readonly [typed: string, readonly OfferedName[]] {
    const list = (kind: string, prefix = "") =>
      this.names(kind).map((name) => ({ label: prefix + name, kind }));
    const fragment = fragmentName.exec(inner)?.[1];
    if (fragment !== undefined) return [fragment, list("fragment")];
    const artifact = artifactName.exec(inner)?.[1];
    if (artifact !== undefined) return [artifact, list("artifact")];
    const typed = firstName.exec(inner)?.[1];
    if (typed === undefined) return ["", []];
    const names = [list("variable"), list("artifact", "artifacts."), list("fragment", "fragments.")];
    return [typed, names.flat()];
  }

  /** The names of a kind that belong here: steps of the same composition, variables of the same prompt. */
  private names(kind: string): readonly string[] {
    const { pack } = this.context;
    const [section, owner] = this.place.path;
    if (pack === undefined || kind === "") return [];
    const states = kind === "event" ? (pack.workflow?.states ?? []) : [];
    const events = states.flatMap(({ transitions }) => transitions.map(({ event }) => event.text));
    const named = namesIn(pack).ofKind(kind);
    const visible = named.filter((entity) => {
      const isShared = entity.kind !== "step" && (entity.kind !== "variable" || section !== "prompts");
      return isShared || entity.scope.key.text === owner;
    });
    return [...new Set([...events, ...visible.map(({ name }) => name)])];
  }

  /** Quotes a word as the place needs; a key also gets its colon. */
  private item(label: string, kind: string, colon = "", doc?: string): Completion {
    const { text, format } = this.context;
    const { word, quote } = this.place;
    const quoting = format === "json" ? "json" : quote === "'" ? "single" : quote === "" ? "plain" : "double";
    const written = formatScalar(label, quoting);
    const end = quote !== "" && text.startsWith(quote, word.end) ? word.end + 1 : word.end;
    const hasColon = /^[ \t]*:/.test(text.slice(end, end + 20));
    return {
      label,
      kind,
      documentation: doc,
      replaced: { start: word.start, end },
      text: (quote === "" ? written : written.slice(1)) + (hasColon ? "" : colon),
    };
  }
}
