import type { Document, Limits } from "../../document/document.js";
import type { MappingNode } from "../../document/node.js";
import { readJsonLines } from "../../document/read-json-lines.js";
import { readDocument } from "../../document/read.js";

/**
 * What `replay` can read: a log of RFC-103 events, the transition records that `simulate` writes, or a workflow
 * context as the reference runtime persists it.
 */
export type RecordKind = "events" | "transitions" | "context";

export interface Recognised {
  readonly kind: RecordKind;
  readonly document: Document;
}

/** What a file is, told by what is in it; nothing when it is no record of a run. */
export function recognise(bytes: Uint8Array, limits: Limits): Recognised | undefined {
  const lines = readJsonLines(bytes, limits);
  const kind = kindOfLines(lines);
  if (kind === "events" || kind === "transitions") return { kind, document: lines };
  const whole = readDocument(bytes, "json", limits);
  if (whole.root?.kind === "mapping") {
    return isContext(whole.root) ? { kind: "context", document: whole } : undefined;
  }
  if (lines.root !== undefined) return undefined;
  if (lines.text !== "" && !/^\s*\{/u.test(lines.text) && !holdsRecord(lines.text)) return undefined;
  // Neither reads: what the file was meant to be decides which faults help.
  const meant = kindOfText(lines.text);
  return { kind: meant, document: meant === "context" ? whole : lines };
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

/** A file of `step` has visit counts too, and an outbox. */
function isContext(node: MappingNode): boolean {
  if (node.get("outbox") !== undefined) return false;
  return node.get("current_state") !== undefined || node.get("visit_counts") !== undefined;
}

/** Whether some line is one of a record, though the first is not. */
function holdsRecord(text: string): boolean {
  return /^\{.*"(?:record|type)"\s*:\s*"/mu.test(text.slice(0, 10_000));
}

function kindOfText(text: string): RecordKind {
  const mark = /"(?:(record)|(type))"\s*:\s*"/u.exec(text.slice(0, 10_000));
  if (mark === null) return "context";
  return mark[1] === undefined ? "events" : "transitions";
}
