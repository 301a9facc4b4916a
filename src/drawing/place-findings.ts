import { appendTo } from "../maps/add-to.js";
import type { Diagnostic } from "../diagnostic.js";
import { unescapeSegment } from "../document/node.js";
import type { Pack } from "../pack/pack.js";
import { statesInData, lapStates, type NodeLookup } from "./paint-findings.js";
import type { PictureFinding } from "./picture.js";

export interface AttachedFindings {
  readonly findings: readonly PictureFinding[];
  /** The numbers of the findings that speak of a node. */
  readonly indexesByNode: ReadonlyMap<string, readonly number[]>;
}

/** A prompt that more states than this share is nobody's own: its findings stand in the list only. */
const maxPromptSharers = 20;

/** Which nodes each finding speaks of: where it stands, whom it names, and who runs the prompt it is about. */
export function attachFindings(
  diagnostics: readonly Diagnostic[],
  runOf: ReadonlyMap<Diagnostic, number>,
  pack: Pack,
  where: NodeLookup,
): AttachedFindings {
  const runners = statesByPrompt(pack, where);
  const indexesByNode = new Map<string, number[]>();
  const findings = diagnostics.map((diagnostic, index) => {
    const { rule, severity, message, pointer, range } = diagnostic;
    const sharers = runners.get(nameInPointer("/prompts/", pointer) ?? "") ?? [];
    const nodes = new Set([
      ...[where.stateIdAt(pointer)].flatMap((id) => id ?? []),
      ...[...statesInData(diagnostic), ...lapStates(diagnostic)].flatMap((name) => where.stateId(name) ?? []),
      ...(sharers.length > maxPromptSharers ? [] : sharers),
    ]);
    for (const id of nodes) appendTo(indexesByNode, id, index);
    const { line, column } = range.start;
    return { rule, severity, message, line, column, nodes: [...nodes], run: runOf.get(diagnostic) };
  });
  return { findings, indexesByNode };
}

function statesByPrompt(pack: Pack, { stateId }: NodeLookup): ReadonlyMap<string, readonly string[]> {
  const runners = new Map<string, string[]>();
  for (const { name, prompt } of pack.workflow?.states ?? []) {
    const id = stateId(name.text);
    if (prompt === undefined || id === undefined) continue;
    appendTo(runners, prompt.key.text, id);
  }
  return runners;
}

/** The name of the entry of a section that a JSON Pointer leads into. */
export function nameInPointer(section: "/prompts/" | "/workflow/states/", pointer: string): string | undefined {
  if (!pointer.startsWith(section)) return undefined;
  const [name = ""] = pointer.slice(section.length).split("/", 1);
  return unescapeSegment(name);
}
