import type { Reading } from "../machine/machine.js";
import { getOrCreate } from "../text/collections.js";
import { joinWords } from "../text/wording.js";
import type { RuntimeName } from "./names.js";

/** One thing that is known about a runtime. */
export interface Fact<T> {
  readonly value: T;
  /** As the documentation says it. */
  readonly says: string;
  /** By running it, or by reading its source. */
  readonly learned: "run" | "read";
}

/** The forms of placeholders in a template. */
export type PlaceholderForm =
  | "variable"
  | "artifact"
  /** With blanks beside the name. */
  | "blanks"
  | "filter"
  /** A path into a variable. */
  | "path"
  /** Conditions, loops and the like. */
  | "block"
  | "comment"
  | "fragment"
  /** Between other delimiters than `{{` and `}}`. */
  | "delimiters"
  /** Anything else, which may be ordinary text, such as an object in JSON. */
  | "other";

export type FragmentForm = "{{name}}" | "{{fragment:name}}";

/** Which placeholders are filled, if something binds them. */
export interface Filling {
  readonly forms: readonly PlaceholderForm[];
  readonly delimiters: "{{ and }}" | "template_engine.syntax";
  /** How often values are searched for placeholders, the first time included. */
  readonly passes: number;
}

/** A parameter of a validator or an eval. */
export interface CheckParameter {
  /** The name and its aliases. */
  readonly names: readonly string[];
  /** The kind of value that it needs; `texts` is one text or a list of them. */
  readonly is: "list" | "texts" | "positive number" | "pattern" | "RE2 pattern" | "text";
  /** The kind of thing that its strings name. */
  readonly namesOf?: "state" | "tool" | "agent" | "skill" | "step" | undefined;
  /** A clause that says what happens to an eval without it; absent if the eval does not need it. */
  readonly without?: string;
  /** Whether the eval is about something that does not happen: a name of nothing then makes it pass. */
  readonly isNegative?: boolean;
}

/** The parameters of a type that a runtime reads: one of these decides what it checks. */
export type CheckParameters = ReadonlyMap<string, CheckParameter>;

export interface CheckTypes {
  readonly known: ReadonlySet<string>;
  /** For types that the specification names, and the runtime does not know: what it calls them. */
  readonly ownNames: ReadonlyMap<string, string>;
  /** A clause that says what happens if the type is unknown. */
  readonly unknown: string;
}

/** In the order of the documentation. A fact that is absent is about something that the runtime does not have. */
export interface RuntimeFacts {
  readonly forcedExit?: Fact<Reading["forcedExits"]>;
  readonly spent?: Fact<Reading["stops"]>;
  readonly budget?: Fact<"before an event">;
  readonly placeholders: Fact<Filling>;
  readonly leftover: Fact<"all unfilled" | "left as it is">;
  readonly binds: Fact<"callers and defaults" | "no caller after a handover">;
  readonly requiredUnbound: Fact<"replaced" | "refused">;
  readonly fragments: Fact<FragmentForm | "never">;
  readonly modelOverrides?: Fact<"ignored">;
  /** A clause that says what happens if a validator has no `enabled`. */
  readonly enabledByDefault: Fact<string>;
  readonly failOnViolation: Fact<"ignored" | "obeyed">;
  readonly validatorTypes: Fact<CheckTypes>;
  readonly validatorParameters: Fact<CheckParameters>;
  /** A clause that says what happens to a validator without the parameters that it needs. */
  readonly uselessCheck: Fact<string>;
  readonly evalTypes?: Fact<CheckTypes>;
  readonly evalParameters?: Fact<CheckParameters>;
  readonly compositionInput?: Fact<"no variable">;
  readonly sections: Fact<"read" | "ignored" | "refused">;
  readonly toolNames: Fact<"trailing star" | "exact">;
  readonly refuses?: Fact<readonly string[]>;
}

export interface Runtime {
  readonly name: RuntimeName;
  readonly title: string;
  /** The month of the version whose facts these are. */
  readonly version: string;
  /** When they were read. */
  readonly readIn: string;
  readonly facts: RuntimeFacts;
}

/** How its machine differs; undefined if it runs no workflows. */
export function readingOf({ facts: { forcedExit, spent } }: Runtime): Reading | undefined {
  return forcedExit && spent && { forcedExits: forcedExit.value, stops: spent.value };
}

/** `PromptKit and LangChain.js`. */
export function titlesOf(runtimes: readonly Runtime[]): string {
  return joinWords(
    runtimes.map(({ title }) => title),
    "and",
  );
}

/** `in PromptKit and LangChain Python, the pack is refused; in LangChain.js, the guardrail is off` */
export function inEach(runtimes: Iterable<Runtime>, clauseOf: (runtime: Runtime) => string): string {
  const byClause = new Map<string, Runtime[]>();
  for (const runtime of runtimes) getOrCreate(byClause, clauseOf(runtime), () => []).push(runtime);
  return [...byClause].map(([clause, those]) => `in ${titlesOf(those)}, ${clause}`).join("; ");
}
