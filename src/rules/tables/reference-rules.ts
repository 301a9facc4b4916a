import type { Composition, Step } from "../../composition/composition.js";
import { factsOf, type SkippedRead } from "../../composition/facts.js";
import { atomsOf, type Reference } from "../../composition/predicate.js";
import { type Read, readsOf, type UnknownTarget } from "../../composition/reads.js";
import type { Finding, Span, Words } from "../../diagnostic.js";
import type { Document } from "../../document/document.js";
import { defaultLimits } from "../../document/file-format.js";
import { readJson } from "../../document/json/read-json.js";
import type { LocatedString, Node } from "../../document/node.js";
import { clearSteps, type Pack } from "../../pack/pack.js";
import { pathParts, relativePath } from "../../pack/skills.js";
import { forbiddenField, schemaFault } from "../../schema/json-schema-keywords.js";
import { quoteValue } from "../../schema/describe-node.js";
import { getOrCreate } from "../../text/collections.js";
import { createGuesser, nearestName, suggestName, uniqueNearestName } from "../../text/names.js";
import { type FileContext, rulesOf } from "../rule.js";
import {
  namedCompositions,
  inCompositions,
  orderedCompositions,
  readsIn,
  readText,
  traceOf,
} from "../shared/composition-findings.js";
import { replaceWordFix, type WithFix } from "../shared/fixes.js";

export const referenceRules = rulesOf(inCompositions, {
  "reference-syntax": {
    summary: "A reference in a composition is a dot path in braces, and nothing else.",
    severity: "error",
    source: "RFC 0010, references",
    *check({ pack }) {
      for (const step of clearSteps(pack))
        for (const reference of referencesOf(step)) {
          if (reference.path !== undefined) continue;
          yield { at: reference.at, wants: "a reference", ...syntaxWords(step, reference) };
        }
    },
  },
  "unknown-reference": {
    summary: "A reference in a composition reads its input, or the output of a step.",
    severity: "error",
    fix: "unsafe",
    source: "RFC 0010, references",
    *check({ pack }) {
      const corrector = new PathCorrector(pack.document);
      for (const composition of namedCompositions(pack))
        for (const read of readsOf(composition)) {
          const { target, reference } = read;
          if (target.kind !== "unknown") continue;
          yield {
            at: reference.at,
            message: `${readText(read)}, but ${unknownText(read, target)}.`,
            ...correct(reference, target, composition, corrector),
          };
        }
    },
  },
  "reference-before-step": {
    summary: "A step reads only the outputs of steps before it.",
    severity: "error",
    source: "RFC 0010, references",
    *check({ pack }) {
      for (const read of readsIn(pack)) {
        const { target, reference } = read;
        if (target.kind !== "later") continue;
        yield {
          at: reference.at,
          message: `${readText(read)}, ${orderText(read, target.step)}.`,
          ...(target.step.index > read.reader.index && {
            advice: `Steps run in the order of the file: move "${target.step.id.text}" before it.`,
          }),
        };
      }
    },
  },
  "reference-may-be-skipped": {
    summary: "A step that is read has run in every outcome in which the reader runs.",
    severity: "warning",
    source: "RFC 0010, branches",
    *check({ pack }) {
      for (const composition of orderedCompositions(pack)) {
        const { skippedReads, mustRun } = factsOf(composition);
        if (skippedReads.length === 0) continue;
        const reads = new Map(readsOf(composition).map((read) => [read.reference, read]));
        for (const skipped of skippedReads) {
          const { reader, reference, answers, isEvery } = skipped;
          const read = reads.get(reference);
          if (read === undefined) continue;
          yield {
            at: reference.at,
            message: `${readText(read)}, but ${skippedText(skipped)}.`,
            advice: skippedAdvice(skipped),
            trace: isEvery && mustRun(reader) ? undefined : traceOf(answers),
          };
        }
      }
    },
  },
  "unstructured-output": {
    summary: "A step of which a field is read has an output schema.",
    severity: "warning",
    source: "RFC 0010, steps",
    *check({ pack }) {
      for (const read of readsIn(pack)) {
        const { target, reference } = read;
        if (target.kind !== "output" || target.fields.length === 0) continue;
        const { producer, fields } = target;
        if (producer === undefined || producer.outputSchema !== undefined) continue;
        if (!producer.isClear("output_schema")) continue;
        if (producer.kind !== "prompt" && producer.kind !== "agent") continue;
        const whole = reference.path?.slice(0, -fields.length).join(".") ?? "";
        const name = producer.id.text;
        yield {
          at: reference.at,
          message: `${readText(read)}, but the output of "${name}" is text, which has no fields.`,
          advice: `Give "${name}" an "output_schema", or read "\${${whole}}".`,
        };
      }
    },
  },
  "unknown-output-field": {
    summary: "A field that a reference reads is in the schema of the output or of the input.",
    severity: "warning",
    fix: "unsafe",
    source: "RFC 0010, references",
    needs: "files beside",
    *check({ pack, ...context }) {
      if (context.readFileBeside === undefined) return;
      const corrector = new PathCorrector(pack.document);
      for (const composition of namedCompositions(pack))
        for (const read of readsOf(composition)) {
          const { schema, fields } = typeOf(read, composition);
          if (fields.length === 0 || schema === undefined) continue;
          const { root } = schemaFileOf(pack, schema.text, context);
          const forbidden = root && forbiddenField(root, fields);
          if (forbidden === undefined) continue;
          const { position, known } = forbidden;
          const name = fields.slice(0, position + 1).join(".");
          const { reference } = read;
          const before = (reference.path?.length ?? 0) - fields.length;
          yield {
            at: reference.at,
            message: `${readText(read)}, but "${schema.text}" has no property "${name}".`,
            ...corrector.replaceName(reference, before + position, known),
          };
        }
    },
  },
  "schema-file": {
    summary: "The schema of an input or output exists beside the pack, and is a JSON Schema.",
    severity: "warning",
    source: "RFC 0010, steps",
    needs: "files beside",
    *check({ pack, ...context }) {
      if (context.fileExists === undefined) return;
      for (const at of schemasNamedIn(pack)) {
        const { words } = schemaFileOf(pack, at.text, context);
        if (words !== undefined) yield { at, wants: "the path of a schema", ...words };
      }
    },
  },
});

function* referencesOf({ inputs, predicate }: Step): Iterable<Reference> {
  yield* inputs;
  for (const { path } of atomsOf(predicate)) if (path.reference !== undefined) yield path.reference;
}

function syntaxWords({ id }: Step, { text, isClosed }: Reference) {
  const subject = `In step "${id.text}",`;
  if (!isClosed) return { message: `${subject} a "\${" has no closing brace.` };
  if (text === "") return { message: `${subject} "\${}" names nothing.` };
  return {
    message: `${subject} ${quoteValue(`\${${text}}`)} is not a dot path.`,
    advice: 'A reference is names joined by dots, as in "${classify.output.intent}".',
  };
}

type Correction = WithFix & Pick<Finding, "advice">;

function unknownText({ reader, reference: { path = [] } }: Read, target: UnknownTarget): string {
  const [root = ""] = path;
  if (target.why === "no step") return `"${root}" is neither "input" nor a step`;
  const { step } = target;
  switch (target.why) {
    case "no output":
      return `only the "output" of a step can be read`;
    case "nested":
      return step.parent === reader.parent
        ? "the steps of one parallel cannot read each other"
        : `"${root}" is inside "${step.parent?.id.text ?? ""}", so only that can be read`;
    case "branch":
      return `"${root}" is a branch, which has no output`;
    case "not into":
      return `"${root}" puts its outputs into "${step.reduce?.into.text ?? ""}"`;
    case "not a branch":
      return `"${root}" has no branch "${path[3] ?? ""}"`;
  }
}

function correct(
  reference: Reference,
  target: UnknownTarget,
  { steps }: Composition,
  corrector: PathCorrector,
): Correction {
  const { path = [] } = reference;
  switch (target.why) {
    case "no step": {
      const readable = steps.filter(({ kind }) => kind !== "branch").map(({ id }) => id.text);
      return corrector.replaceName(reference, 0, ["input", ...readable]);
    }
    case "not a branch": {
      const names = target.step.branches.map(({ id }) => id.text);
      return corrector.replaceName(reference, 3, names);
    }
    case "not into": {
      const text = `${target.step.id.text}.output.${target.step.reduce?.into.text ?? ""}`;
      return { advice: `Read "\${${text}}".`, ...corrector.replaceAll(reference, text) };
    }
    case "no output": {
      const isMisspelt = nearestName(path[1] ?? "", ["output"]) !== undefined;
      const text = [target.step.id.text, "output", ...path.slice(isMisspelt ? 2 : 1)].join(".");
      return { advice: `Did you mean "\${${text}}"?`, ...corrector.replaceAll(reference, text) };
    }
    default:
      return {};
  }
}

class PathCorrector {
  private readonly guess = createGuesser();

  constructor(private readonly document: Document) {}

  replaceName(reference: Reference, position: number, names: readonly string[]): Correction {
    const { path = [] } = reference;
    const name = path[position] ?? "";
    const found = this.guess(name, names);
    if (found === undefined) return {};
    const isOnlyOne = uniqueNearestName(name, names) !== undefined;
    const start = path.slice(0, position).join(".").length + (position > 0 ? 1 : 0);
    const part = { start, end: start + name.length };
    return { advice: suggestName(name, found), ...(isOnlyOne && this.replace(reference, part, found)) };
  }

  replaceAll(reference: Reference, replacement: string): WithFix {
    return this.replace(reference, { start: 0, end: reference.text.length }, replacement);
  }

  replace({ source, start, text }: Reference, part: Span, replacement: string): WithFix {
    const offset = source.text.indexOf(text, start + 2);
    const place = { start: offset + part.start, end: offset + part.end };
    return replaceWordFix(this.document, source, place, replacement);
  }
}

function orderText({ reader }: Read, step: Step): string {
  if (step === reader) return "its own output";
  if (step.index === reader.index) return "the output of the block that it is in";
  return `but "${step.id.text}" comes later`;
}

function skippedText({ reader, read, isEvery }: SkippedRead): string {
  const name = `"${read.id.text}"`;
  return isEvery
    ? `${name} is skipped whenever "${reader.id.text}" runs, and the composition then fails`
    : `${name} may have been skipped, and the composition then fails`;
}

function skippedAdvice({ reader, read, isEvery }: SkippedRead): string | undefined {
  // A branch that is skipped chooses nothing.
  if (isEvery || reader.kind === "branch") return undefined;
  const { dependsOn, id } = reader.parent ?? reader;
  if (dependsOn.length === 0)
    return `To skip "${id.text}" as well, add "${read.id.text}" to its "depends_on".`;
  return dependsOn.some(({ text }) => text === read.id.text)
    ? 'A step is skipped only if all steps in its "depends_on" are.'
    : undefined;
}

/** The path of the schema that describes the value which is read, and the names that are read inside it. */
function typeOf({ target }: Read, { inputSchema }: Composition) {
  if (target.kind === "input") return { schema: inputSchema, fields: target.fields };
  if (target.kind === "output") return { schema: target.producer?.outputSchema, fields: target.fields };
  return { schema: undefined, fields: [] };
}

function schemasNamedIn({ compositions }: Pack): readonly LocatedString[] {
  const schemas = [...compositions.values()].flatMap(({ inputSchema, outputSchema, allSteps }) => {
    const clear = allSteps.filter(({ isUnclear }) => !isUnclear);
    return [inputSchema, outputSchema, ...clear.map((step) => step.outputSchema)];
  });
  return schemas.filter((schema) => schema !== undefined);
}

/** Empty if it is not a path beside the pack, is missing with its folder, is YAML, or must not be read. */
interface SchemaFile {
  readonly root?: Node | undefined;
  readonly words?: Words;
}

const filesOfPacks = new WeakMap<Pack, Map<string, SchemaFile>>();

/** The schema of this path beside a pack, read once and only if asked for. */
function schemaFileOf(pack: Pack, text: string, context: FileContext): SchemaFile {
  const known = getOrCreate(filesOfPacks, pack, () => new Map());
  return getOrCreate(known, text, () => readSchemaFile(text, context));
}

function readSchemaFile(text: string, { fileExists, readFileBeside }: FileContext): SchemaFile {
  // A fragment may lead to a schema anywhere.
  const path = text.includes("#") ? undefined : relativePath(text);
  if (path === undefined || fileExists === undefined) return {};
  if (!fileExists(path)) {
    const folder = pathParts(path).slice(0, -1).join("/");
    if (folder !== "" && !fileExists(folder)) return {};
    const message = `The schema "${text}" does not exist beside the pack.`;
    return { words: { message, advice: "Correct the path, or put the schema there." } };
  }
  const content = readFileBeside?.(path);
  if (content === undefined) return {};
  const { root, hasSyntaxError } = readJson(content.replace(/^\ufeff/, ""), defaultLimits);
  const isJson = root !== undefined && !hasSyntaxError;
  if (!isJson && !/\.json$/i.test(path)) return {};
  const fault = isJson ? schemaFault(root) : "it is not JSON";
  return fault === undefined
    ? { root }
    : { words: { message: `The file "${text}" is not a JSON Schema: ${fault}.` } };
}
