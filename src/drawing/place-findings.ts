import { addTo } from "../maps/add-to.js";
import type { Diagnostic } from "../diagnostic.js";
import { unescapeSegment } from "../document/node.js";
import type { Pack } from "../pack/pack.js";
import { statesIn, statesOnLap, type Whereabouts } from "./paint-findings.js";
import type { PictureFinding } from "./picture.js";

export interface PlacedFindings {
  readonly findings: readonly PictureFinding[];
  /** The numbers of the findings that speak of a node. */
  readonly ofNode: ReadonlyMap<string, readonly number[]>;
}

/** A prompt that more states than this share is nobody's own: its findings stand in the list only. */
const mostSharers = 20;

/** Which nodes each finding speaks of: where it stands, whom it names, and who runs the prompt it is about. */
export function placeFindings(
  diagnostics: readonly Diagnostic[],
  runOf: ReadonlyMap<Diagnostic, number>,
  pack: Pack,
  where: Whereabouts,
): PlacedFindings {
  const runners = statesByPrompt(pack, where);
  const ofNode = new Map<string, number[]>();
  const findings = diagnostics.map((diagnostic, index) => {
    const { rule, severity, message, pointer, range } = diagnostic;
    const sharers = runners.get(nameBelow("/prompts/", pointer) ?? "") ?? [];
    const nodes = new Set([
      ...[where.stateAt(pointer)].flatMap((id) => id ?? []),
      ...[...statesIn(diagnostic), ...statesOnLap(diagnostic)].flatMap((name) => where.idOf(name) ?? []),
      ...(sharers.length > mostSharers ? [] : sharers),
    ]);
    for (const id of nodes) addTo(ofNode, id, index);
    const { line, column } = range.start;
    return { rule, severity, message, line, column, nodes: [...nodes], run: runOf.get(diagnostic) };
  });
  return { findings, ofNode };
}

function statesByPrompt(pack: Pack, { idOf }: Whereabouts): ReadonlyMap<string, readonly string[]> {
  const runners = new Map<string, string[]>();
  for (const { name, prompt } of pack.workflow?.states ?? []) {
    const id = idOf(name.text);
    if (prompt === undefined || id === undefined) continue;
    addTo(runners, prompt.key.text, id);
  }
  return runners;
}

/** The name of the entry of a section that a JSON Pointer leads into. */
export function nameBelow(section: "/prompts/" | "/workflow/states/", pointer: string): string | undefined {
  if (!pointer.startsWith(section)) return undefined;
  const [name = ""] = pointer.slice(section.length).split("/", 1);
  return unescapeSegment(name);
}
