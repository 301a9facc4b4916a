import type { Finding, Place } from "../../diagnostic.js";
import { asMapping, itemsOf, Key, LocatedString, type Node, placeOf, stringOf } from "../../document/node.js";
import { type Pack, promptReferences } from "../../pack/pack.js";
import { otherSchemaFindings } from "../../schema/check-schema.js";
import { sourceSchema } from "../../schema/other-schemas.js";
import type { Entry } from "../../sources/graft-pack.js";
import type { Project } from "../../sources/project.js";
import { type Listed, placeIn, type SourceFile, specOf } from "../../sources/source-file.js";
import { appendTo } from "../../text/collections.js";
import { namedTaskTypes } from "../../sources/scenarios.js";
import { rulesOf } from "../rule.js";

export const sourceShape = "source-shape";
export const sourceTemplate = "source-template";

const toolSpecs = "/spec/tool_specs";

export const sourceRules = rulesOf("sources", {
  [sourceShape]: {
    summary: "The head of a project, its prompts and its tools have the shape that the compiler reads.",
    severity: "error",
    source: "promptpack, sources",
    *check({ project }) {
      for (const file of project.files) {
        const { root } = file.document;
        if (root === undefined || file.isTemplate === true) continue;
        const shape = sourceSchema(shapeOf(file));
        if (shape === undefined) continue;
        for (const finding of otherSchemaFindings(root, shape, file.document.text))
          // The finding below is more helpful.
          if (finding.at.pointer !== toolSpecs) yield movedTo(file, finding);
      }
      const { head } = project;
      const spec = head && specOf(head.document);
      if (head === undefined) return;
      const inline = spec?.get("tool_specs");
      if (inline !== undefined)
        yield {
          at: placeIn(head, keyPlace(inline)),
          message: 'No compiler reads "tool_specs", and Arena refuses it.',
          advice: 'Write each tool into a file of its own, and list that under "tools".',
        };
      for (const { value, key } of asMapping(spec?.get("prompt_specs"))?.entries ?? [])
        yield {
          at: placeIn(head, keyPlace(value)),
          message: `The inline prompt "${key.text}" has no name, and no pack can be made of it.`,
          advice: 'Write it into a file of its own, and list that under "prompt_configs".',
        };
    },
  },
  "source-file": {
    summary: "The files that a project names exist, can be read, and are of the kind that their list wants.",
    severity: "error",
    source: "promptpack, sources",
    *check({ project }) {
      for (const { fault, reference, by } of project.listed) {
        if (fault === undefined || (reference.kind === "text" && !reference.isRequired)) continue;
        yield {
          at: placeIn(by, reference.file),
          message: `"${reference.file.text}" ${fault.fault}.`,
          advice: fault.advice,
        };
      }
    },
  },
  "source-duplicate": {
    summary: "No two prompts or tools of a project have one name.",
    severity: "error",
    source: "promptpack, sources",
    *check({ project }) {
      yield* repeatedFiles(project);
      yield* repeatedIds(project);
      yield* repeatedNames(project);
    },
  },
  "source-id-differs": {
    summary: "Scenarios name prompts by their task types, not by the ids that the head has for them.",
    severity: "warning",
    source: "promptpack, sources",
    *check({ project, pack }) {
      const named = namedTaskTypes(project);
      for (const { listed, taskType, file } of project.grafted.prompts) {
        const id = LocatedString.of(asMapping(listed?.item)?.get("id"));
        if (id === undefined || taskType === undefined || id.text === taskType.text) continue;
        const uses = named.get(id.text) ?? [];
        if (uses.length === 0 || (pack !== undefined && namesPrompt(pack, id.text))) continue;
        if (project.grafted.prompts.some((other) => other.name.text === id.text)) continue;
        yield {
          at: listed === undefined ? id : placeIn(listed.by, id),
          message: `A scenario names a prompt by its id "${id.text}", where only its task_type "${taskType.text}" counts.`,
          advice: "Give both the same name.",
          related: [
            { at: placeIn(file, taskType), message: "its task_type is here" },
            ...uses.map(({ at, file: scenario }) => ({
              at: placeIn(scenario, at),
              message: "named by its id here",
            })),
          ],
        };
      }
    },
  },
  "source-ignored": {
    summary: "Nothing in the sources looks meant but is dropped by the compiler.",
    severity: "warning",
    source: "promptpack, sources",
    *check({ project }) {
      const { prompts, tools } = project.grafted;
      for (const { spec, name, file } of tools) {
        const own = LocatedString.of(spec.get("name"));
        if (own === undefined || own.text === name.text) continue;
        yield {
          at: placeIn(file, keyPlace(own.node)),
          message: `The compiler ignores the name "${own.text}": the tool is called "${name.text}", as its metadata says.`,
          advice: `Change the name in "metadata", or remove this one.`,
        };
      }
      for (const { spec, file } of prompts) {
        for (const name of ["tested_models", "model_overrides"]) {
          const value = spec.get(name);
          if (value === undefined || isEmpty(value)) continue;
          yield {
            at: placeIn(file, keyPlace(value)),
            message: `The compiler writes "${name}" under another name, and then refuses its own pack.`,
            advice: "Remove it.",
          };
        }
        for (const item of itemsOf(spec.get("fragments"))) {
          const fragment = asMapping(item);
          const path = fragment?.get("path");
          const called = stringOf(fragment?.get("name"));
          if (path === undefined || called === undefined) continue;
          yield {
            at: placeIn(file, keyPlace(path)),
            message: `The compiler does not read this file: as text of the fragment "${called}", it writes "{{${called}}}".`,
            advice: "Write the text into the prompt.",
          };
        }
      }
    },
  },
  [sourceTemplate]: {
    summary: "A template of sources is checked once sources are made from it.",
    severity: "info",
    source: "promptpack, sources",
    *check({ project }) {
      for (const file of project.files) {
        if (file.isTemplate !== true) continue;
        yield {
          at: placeIn(file, { pointer: "", start: 0, end: 0 }),
          message: "This is a template for sources, which cannot be checked before it is filled in.",
        };
      }
    },
  },
});

/** Whether a state or agent names it: then that is reported there. */
function namesPrompt(pack: Pack, name: string): boolean {
  return promptReferences(pack).some(({ text }) => text === name);
}

function shapeOf({ kind, document }: SourceFile): string {
  const root = asMapping(document.root);
  const isBare = kind === "Tool" && root?.get("kind") === undefined && root?.get("spec") === undefined;
  return isBare ? "BareTool" : kind;
}

function movedTo(file: SourceFile, finding: Finding): Finding {
  const moved = (place: Place): Place => placeIn(file, place);
  const { related, replaced: _, ...rest } = finding;
  return {
    ...rest,
    at: moved(finding.at),
    ...(related && {
      related: related.map((each) => ("at" in each ? { ...each, at: moved(each.at) } : each)),
    }),
  };
}

function keyPlace(node: Node): Place {
  const { start, end } = node.key instanceof Key ? node.key : placeOf(node);
  return { pointer: node.pointer, start, end };
}

function isEmpty(node: Node): boolean {
  return node.kind === "scalar"
    ? node.value === null
    : (asMapping(node)?.entries ?? itemsOf(node)).length === 0;
}

/** Each prompt or tool whose file is listed again. A scenario may well run twice. */
function* repeatedFiles({ listed }: Project): Iterable<Finding> {
  const first = new Map<SourceFile, Listed>();
  for (const each of listed) {
    if (each.file === undefined || !/^(?:prompt_configs|tools)$/u.test(each.list)) continue;
    const known = first.get(each.file);
    if (known === undefined) first.set(each.file, each);
    else
      yield {
        at: placeIn(each.by, each.reference.file),
        message: `"${each.reference.file.text}" is listed twice.`,
        advice: "Remove one of them.",
        related: [{ at: placeIn(known.by, known.reference.file), message: "first listed here" }],
      };
  }
}

function* repeatedIds({ listed }: Project): Iterable<Finding> {
  const first = new Map<string, Place>();
  const files = new Set<SourceFile>();
  for (const { list, item, by, file } of listed) {
    const id = list === "prompt_configs" ? LocatedString.of(asMapping(item)?.get("id")) : undefined;
    // The same file again is reported already.
    if (id === undefined || (file !== undefined && files.has(file))) continue;
    if (file !== undefined) files.add(file);
    const known = first.get(id.text);
    if (known === undefined) first.set(id.text, placeIn(by, id));
    else
      yield {
        at: placeIn(by, id),
        message: `Another prompt has the id "${id.text}": the compiler keeps one of them, at random.`,
        advice: "Give each its own id.",
        related: [{ at: known, message: "first used here" }],
      };
  }
}

/** Two files that give their prompt or tool the same name. */
function* repeatedNames({ grafted }: Project): Iterable<Finding> {
  const { prompts, tools, repeated } = grafted;
  const byName = new Map<string, Entry[]>();
  const keyOf = ({ name, taskType }: Entry) => `${taskType === undefined ? "tool" : "prompt"} ${name.text}`;
  for (const entry of [...prompts, ...tools]) appendTo(byName, keyOf(entry), entry);
  const at = ({ taskType, spec, file, name }: Entry): Place => {
    const own = taskType?.node ?? nameOfTool(file, spec);
    return own === undefined ? { pointer: "", start: name.start, end: name.end } : placeIn(file, own);
  };
  for (const entry of repeated) {
    const [first] = byName.get(keyOf(entry)) ?? [];
    const what = entry.taskType === undefined ? "tool" : "prompt";
    const field = entry.taskType === undefined ? "name" : "task_type";
    yield {
      at: at(entry),
      message: `Another ${what} has the ${field} "${entry.name.text}": the compiler keeps one of them, at random.`,
      advice: `Give each its own ${field}.`,
      ...(first && { related: [{ at: at(first), message: "first used here" }] }),
    };
  }
}

function nameOfTool({ document }: SourceFile, spec: Entry["spec"]): Node | undefined {
  const root = asMapping(document.root);
  return root === spec ? spec.get("name") : asMapping(root?.get("metadata"))?.get("name");
}
