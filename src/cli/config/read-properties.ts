import { type Located, severities } from "../../diagnostic.js";
import { LocatedString, type MappingNode, type Node, placeOf } from "../../document/node.js";
import type { Pattern, Step, Steps } from "../../properties/property.js";
import { runtimeNamed } from "../../runtimes/index.js";
import { workflowRuntimeNames } from "../../runtimes/names.js";
import { invalidCountMessage, listChoices, listNames } from "../../text/wording.js";
import type { ConfiguredProperty, ConfigValues } from "./config.js";

const patternKeys = ["never", "eventually", "at-most", "ends-in", "always-possible", "possible"] as const;
type PatternKey = (typeof patternKeys)[number];

const scopeKeys = ["of", "before", "after", "since", "until"] as const;
type ScopeKey = (typeof scopeKeys)[number];

/** The keys that may go together; the second needs the first. */
const scopesOf: Readonly<Record<PatternKey, readonly (readonly ScopeKey[])[]>> = {
  never: [
    ["before", "since"],
    ["after", "until"],
  ],
  eventually: [["after"]],
  "at-most": [["of", "since"]],
  "ends-in": [],
  "always-possible": [["until"]],
  possible: [],
};

const stepKeys = ["event", "state", "spent"];
const keys = ["name", "files", "severity", "from", "runtime", ...patternKeys, ...scopeKeys];

export function readProperties(
  values: ConfigValues,
  node: Node | undefined,
  file: string,
): readonly ConfiguredProperty[] {
  const names = new Set<string>();
  return values.items(node, "properties").flatMap((item) => {
    const fields = values.fields(item, "A property", keys);
    const property = fields && new PropertyReader(values, fields, file).read();
    if (property === undefined) return [];
    const { name } = property;
    if (names.has(name.text)) values.addFault(name, `Another property is called "${name.text}", too.`);
    names.add(name.text);
    return [property];
  });
}

/** Reads one property. Ignore the result if there are faults. */
class PropertyReader {
  constructor(
    private readonly values: ConfigValues,
    private readonly fields: MappingNode,
    private readonly file: string,
  ) {}

  read(): ConfiguredProperty | undefined {
    const { values, fields, file } = this;
    const name = this.name(fields.get("name"), '"name"');
    const pattern = this.pattern();
    const severity = values.choice(fields.get("severity"), "severity", severities);
    const what = "runtime that runs workflows";
    const runtime = values.choice(fields.get("runtime"), what, workflowRuntimeNames);
    const from = this.list("from").flatMap((item) => this.name(item, 'A state in "from"') ?? []);
    const hasFiles = fields.get("files") !== undefined;
    const matches = hasFiles ? values.files(fields) : undefined;
    if (name === undefined || pattern === undefined) return undefined;
    const { pointer, start, end } = name;
    const range = values.document.lines.range(start, end);
    const declaredAt = { message: "the property is declared here", file, pointer, range };
    return {
      ...{ name, pattern, from, severity, hasFiles, matches, declaredAt },
      runtime: runtime && runtimeNamed(runtime),
    };
  }

  private pattern(): Pattern | undefined {
    const { fields } = this;
    const [kind, second] = fields.entries.flatMap(
      ({ key }) => patternKeys.find((each) => each === key.text) ?? [],
    );
    if (kind === undefined) {
      // A misspelled key has been reported already.
      if (fields.entries.every(({ key }) => keys.includes(key.text)))
        this.values.addFault(placeOf(fields), `A property needs one of ${listChoices(patternKeys)}.`);
      return undefined;
    }
    if (second !== undefined)
      this.addFault(second, `"${second}" cannot be combined with "${kind}": write two properties.`);
    else this.checkScopes(kind);
    const of = this.steps(kind === "at-most" ? "of" : kind);
    const [since = [], until = [], after = []] = ["since", "until", "after"].map((key) => this.steps(key));
    switch (kind) {
      case "never":
        if (this.has("before")) return { kind: "never-before", of, before: this.steps("before"), since };
        return this.has("after") ? { kind: "never-after", of, after, until } : { kind, of };
      case "eventually":
        return { kind, of, after: this.has("after") ? after : undefined };
      case "at-most":
        return { kind, of, times: this.count(kind), since };
      case "always-possible":
        return { kind, of, until };
      case "ends-in":
      case "possible":
        return { kind, of };
    }
  }

  private checkScopes(kind: PatternKey): void {
    if (kind === "at-most" && !this.has("of"))
      return this.addFault(kind, '"at-most" needs "of", the step that is counted.');
    const fitting = scopesOf[kind].find(([first = ""]) => this.has(first)) ?? [];
    const known = scopesOf[kind].map((scopes) => listNames(scopes)).join(", or ") || "no other step";
    for (const key of scopeKeys)
      if (this.has(key) && !fitting.includes(key))
        this.addFault(key, `"${key}" does not fit here: "${kind}" takes ${known}.`);
  }

  private has(key: string): boolean {
    return this.fields.get(key) !== undefined;
  }

  private addFault(key: string, message: string): void {
    this.values.addFault(this.fields.entry(key)?.key ?? placeOf(this.fields), message);
  }

  private count(key: string): number {
    const node = this.fields.get(key);
    const value = node?.kind === "scalar" ? node.value : undefined;
    if (node === undefined || (Number.isSafeInteger(value) && Number(value) >= 0)) return Number(value);
    const shown = value === undefined ? node.kind : String(value);
    this.values.addFault(placeOf(node), invalidCountMessage(key, shown));
    return 0;
  }

  private list(key: string): readonly Node[] {
    const node = this.fields.get(key);
    if (node === undefined) return [];
    const items = node.kind === "sequence" ? node.items : [node];
    if (items.length === 0) this.values.addFault(placeOf(node), `"${key}" is empty.`);
    return items;
  }

  private steps(key: string): Steps {
    return this.list(key).flatMap((item) => this.step(item, key) ?? []);
  }

  private step(node: Node, key: string): Step | undefined {
    const { values } = this;
    if (node.kind === "mapping" && key === "ends-in")
      values.addFault(placeOf(node), `"${key}" takes only states.`);
    if (node.kind !== "mapping") {
      const state = LocatedString.of(node);
      if (state !== undefined && state.text !== "") return { kind: "state", state };
      const shapes = 'the name of a state, "*", or an object with "event" or "spent"';
      values.addFault(placeOf(node), `A step must be ${shapes}.`);
      return undefined;
    }
    values.fields(node, "A step", stepKeys);
    if (node.entries.some(({ key }) => !stepKeys.includes(key.text))) return undefined;
    const [event, state, spent] = stepKeys.map((each) => {
      const value = node.get(each);
      return value && this.name(value, `"${each}"`);
    });
    for (const name of [state, spent])
      if (name?.text === "*") values.addFault(name, 'Here, "*" is no state: name one.');
    if (node.entry("spent") === undefined) {
      const hint = "a state that is entered is just its name";
      if (node.entry("event") === undefined)
        values.addFault(placeOf(node), `A step needs "event" or "spent"; ${hint}.`);
      return event && { kind: "event", event, state };
    }
    if (node.entries.length > 1)
      values.addFault(placeOf(node), '"spent" cannot be combined with other keys.');
    return spent && { kind: "spent", state: spent };
  }

  private name(node: Node | undefined, what: string): Located | undefined {
    if (this.values.text(node, what, this.fields) === "")
      this.values.addFault(placeOf(node ?? this.fields), `${what} is empty.`);
    return LocatedString.of(node);
  }
}
