import { defaultLimits, type FileKind, fileKinds, type Format, type Limits } from "./document/file-format.js";
import { levels, type Level } from "./diagnostic.js";
import { didYouMean } from "./text/names.js";
import { unknownVersionMessage } from "./schema/spec-version.js";
import { type RuntimeName, runtimeNames } from "./runtimes/names.js";
import { ruleIds } from "./rules/index.js";
import { invalidChoiceMessage, invalidCountMessage, listNames, unknownRuleMessage } from "./text/wording.js";

export interface LintOptions {
  /** The name to report; its extension decides the format. */
  readonly file?: string | undefined;
  /** By default, the extension of `file` decides, otherwise the text. */
  readonly format?: Format | undefined;
  /** A pack, or a file of routes (RFC-103); by default, the content decides. */
  readonly kind?: FileKind | undefined;
  /** Overrides the spec version that `$schema` names. */
  readonly specVersion?: string | undefined;
  /** Severities by rule id, where they differ from the default. */
  readonly rules?: Readonly<Record<string, Level>> | undefined;
  /** Where the pack is to run: "promptkit" by default; with none, nothing is said of runtimes. */
  readonly runtimes?: readonly RuntimeName[] | undefined;
  /** Types of validators and of evals of your own, besides those that runtimes know. */
  readonly validatorTypes?: readonly string[] | undefined;
  readonly evalTypes?: readonly string[] | undefined;
  /** Whether comments such as `# promptpack-disable-next-line` count; they do unless this is false. */
  readonly inlineConfig?: boolean | undefined;
  /** Whether a relative path exists beside the pack. Without it, paths are not checked. */
  readonly fileExists?: ((relativePath: string) => boolean) | undefined;
  /** The text of a file beside the pack, or undefined. Without it, the schemas of steps are not read. */
  readonly readFileBeside?: ((relativePath: string) => string | undefined) | undefined;
  /** Beyond these, the only finding is a `parse-error`. Defaults are those of the command; `Infinity` removes a limit. */
  readonly limits?: { readonly [Name in keyof Limits]?: Limits[Name] | undefined } | undefined;
}

/** In the same words as the command. */
export function callFault(source: unknown, options: unknown): Fault {
  if (typeof source !== "string" && !isA("Uint8Array", source))
    return '"source" must be a string or a Uint8Array.';
  return fieldsFault(options, "options", optionChecks);
}

type Fault = string | undefined;
type Check = (value: unknown, name: string) => Fault;

const limitChecks = Object.fromEntries(Object.keys(defaultLimits).map((name) => [name, countFault]));

const optionChecks: Readonly<Record<keyof LintOptions, Check>> = {
  file: ofType("string"),
  format: oneOf(["json", "yaml"]),
  kind: oneOf(fileKinds),
  specVersion: (value, name) =>
    typeof value === "string" ? unknownVersionMessage(value) : ofType("string")(value, name),
  rules: rulesFault,
  runtimes: listOf(oneOf(runtimeNames)),
  validatorTypes: listOf(ofType("string")),
  evalTypes: listOf(ofType("string")),
  inlineConfig: ofType("boolean"),
  fileExists: ofType("function"),
  readFileBeside: ofType("function"),
  limits: (value, name) => fieldsFault(value, name, limitChecks),
};

/** Fields that are undefined count as absent. */
function fieldsFault(value: unknown, name: string, checks: Readonly<Record<string, Check>>): Fault {
  const known = new Map(Object.entries(checks));
  const names = [...known.keys()];
  if (!isObject(value)) return `"${name}" must be an object with ${listNames(names, names.length)}.`;
  for (const [key, field] of Object.entries(value)) {
    const check = known.get(key);
    if (check === undefined) {
      const hint = didYouMean(key, names) || ` The known keys are ${listNames(names, names.length)}.`;
      return `"${name}" has no key "${key}".${hint}`;
    }
    const fault = field === undefined ? undefined : check(field, key);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function rulesFault(value: unknown, name: string): Fault {
  if (!isObject(value)) return `"${name}" must be an object of rule ids and severities.`;
  const isLevel = oneOf(levels);
  for (const [id, level] of Object.entries(value)) {
    const fault = ruleIds.includes(id) ? isLevel(level, id) : unknownRuleMessage(id, ruleIds);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function ofType(type: "string" | "boolean" | "function"): Check {
  return (value, name) => (typeof value === type ? undefined : `"${name}" must be a ${type}.`);
}

function oneOf(choices: readonly string[]): Check {
  return (value, name) =>
    choices.some((choice) => choice === value)
      ? undefined
      : invalidChoiceMessage(name, String(value), choices);
}

function listOf(check: Check): Check {
  return (value, name) => {
    if (!Array.isArray(value)) return `"${name}" must be a list.`;
    for (const [index, item] of (value as unknown[]).entries()) {
      const fault = check(item, `${name}[${index}]`);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
}

function countFault(value: unknown, name: string): Fault {
  const isCount = Number.isInteger(value) && Number(value) >= 0;
  return isCount || value === Infinity ? undefined : invalidCountMessage(name, String(value));
}

/** Excludes objects that do not carry options in their keys. */
function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !mutes.some((name) => isA(name, value));
}

const mutes = ["Array", "Map", "Set", "WeakMap", "WeakSet", "Promise", "Date", "RegExp", "Uint8Array"];

/** `instanceof` fails across realms, as in test runners. */
function isA(name: string, value: unknown): boolean {
  return Object.prototype.toString.call(value) === `[object ${name}]`;
}
