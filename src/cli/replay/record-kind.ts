import { isStepRunFile } from "../../agentic/plugin-state.js";
import type { Document, Limits } from "../../document/document.js";
import type { MappingNode, Node } from "../../document/node.js";
import { readJsonLines } from "../../document/json/read-json-lines.js";
import { readDocument } from "../../document/read.js";
import { asMapping } from "../../document/spelled-values.js";
import { UsageError } from "../terminal/usage-error.js";

/**
 * What `replay` can read: a log of RFC-103 events, the transition records that `simulate` writes, or a workflow
 * context as the reference runtime persists it.
 */
export type RecordKind = "events" | "transitions" | "context";

export interface RecognizedRecord {
  readonly kind: RecordKind;
  readonly document: Document;
}

/** What a file is, told by what is in it. */
export function recognizeRecord(file: string, bytes: Uint8Array, limits: Limits): RecognizedRecord {
  const lines = readJsonLines(bytes, limits);
  const kind = kindOfLines(lines);
  if (kind === "events" || kind === "transitions") return { kind, document: lines };
  const whole = readDocument(bytes, "json", limits);
  const meant = guessKind(lines, whole);
  if (meant === undefined) throw new UsageError(`"${file}" is ${describeNonRecord(whole)}`);
  return { kind: meant, document: meant === "context" ? whole : lines };
}

/** What a file without a line of a record was meant to be; where it cannot be read, that decides which faults help. */
function guessKind({ text, faults }: Document, { root }: Document): RecordKind | undefined {
  if (root?.kind === "mapping") return isContext(root) ? "context" : undefined;
  if (faults.length === 0) return undefined;
  return text === "" || /^\s*\{/u.test(text) || hasRecordLine(text) ? kindOfText(text) : undefined;
}

/** What is no record may be something else of ours. */
function describeNonRecord({ root }: Document): string {
  if (isStepRunFile(root))
    return 'what "promptpack step" keeps of its run, and no record: replay the events that "step" prints.';
  if (isSimulation(root))
    return 'a run as "promptpack simulate --format json" prints it: replay reads the one that "--format jsonl" prints.';
  return "not the record of a run: it contains neither RFC-103 events, nor transitions, nor a workflow context.";
}

function kindOfLines({ root }: Document): RecordKind | undefined {
  for (const item of root?.kind === "sequence" ? root.items : []) {
    if (item.kind !== "mapping") continue;
    if (item.get("record") !== undefined) return "transitions";
    if (item.get("type") !== undefined) return "events";
    if (isContext(item)) return "context";
  }
  return undefined;
}

function isContext(node: MappingNode): boolean {
  if (isStepRunFile(node)) return false;
  return node.get("current_state") !== undefined || node.get("visit_counts") !== undefined;
}

function isSimulation(root: Node | undefined): boolean {
  return asMapping(asMapping(root)?.get("start"))?.get("record") !== undefined;
}

/** Whether some line is one of a record, though the first is not. */
function hasRecordLine(text: string): boolean {
  return /^\{.*"(?:record|type)"\s*:\s*"/mu.test(text.slice(0, 10_000));
}

function kindOfText(text: string): RecordKind {
  const mark = /"(?:(record)|(type))"\s*:\s*"/u.exec(text.slice(0, 10_000));
  if (mark === null) return "context";
  return mark[1] === undefined ? "events" : "transitions";
}
