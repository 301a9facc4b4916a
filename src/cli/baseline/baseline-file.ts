import { existsSync } from "node:fs";
import { defaultLimits, type Document } from "../../document/document.js";
import type { Node } from "../../document/node.js";
import { readDocumentLazily } from "../../document/read-lazily.js";
import { asMapping, stringOf } from "../../document/spelled-values.js";
import { describeFileFault } from "../files/own-fault.js";
import { describeIoError, readRegularFile } from "../files/read-file.js";
import { displayLocation } from "../files/shown-path.js";
import { UsageError } from "../terminal/usage-error.js";

const schemaVersion = 1;

export interface BaselineEntry {
  /** Relative to the baseline's folder, with `/`. */
  readonly file: string;
  readonly rule: string;
  /** For people; the fingerprint is what counts. */
  readonly pointer: string;
  readonly fingerprint: string;
}

/** An entry as it stands in the baseline file. */
export interface LocatedEntry extends BaselineEntry {
  readonly node: Node;
}

export interface BaselineFile {
  readonly document: Document | undefined;
  readonly entries: readonly LocatedEntry[];
}

export async function readBaseline(path: string, shown: string, mayBeAbsent: boolean): Promise<BaselineFile> {
  if (mayBeAbsent && !existsSync(path)) return { document: undefined, entries: [] };
  const document = await readDocumentLazily(readBaselineBytes(path, shown), "json", defaultLimits);
  const fault = document.faults[0];
  if (fault !== undefined)
    throw new UsageError(`${displayLocation(shown, document, fault.start)}: ${describeFileFault(fault, "baseline")}`);
  const root = asMapping(document.root);
  const findings = root?.get("findings");
  if (findings?.kind !== "sequence")
    throw new UsageError(`"${shown}" is not a baseline: it has no "findings" list.`);
  const version = root?.get("schemaVersion");
  if (version?.kind === "scalar" && version.value !== schemaVersion)
    throw new UsageError(
      `"${shown}" is a baseline of version ${JSON.stringify(version.value)}, but this promptpack reads only version ${schemaVersion}.`,
    );
  return { document, entries: findings.items.map((item) => readEntry(item, document, shown)) };
}

export function baselineText(entries: readonly BaselineEntry[]): string {
  return JSON.stringify({ schemaVersion, findings: entries }, null, 2) + "\n";
}

function readBaselineBytes(path: string, shown: string): Uint8Array {
  try {
    return readRegularFile(path, defaultLimits.maxBytes);
  } catch (error) {
    const hint = existsSync(path) ? "" : ' "--update-baseline" writes one.';
    throw new UsageError(`The baseline "${shown}" ${describeIoError(error)}.${hint}`);
  }
}

function readEntry(node: Node, document: Document, shown: string): LocatedEntry {
  const [file, rule, pointer, fingerprint] = ["file", "rule", "pointer", "fingerprint"].map((key) =>
    stringOf(asMapping(node)?.get(key)),
  );
  if (file === undefined || rule === undefined || pointer === undefined || fingerprint === undefined) {
    const place = displayLocation(shown, document, node.start);
    throw new UsageError(`${place}: An entry needs "file", "rule", "pointer" and "fingerprint".`);
  }
  return { file, rule, pointer, fingerprint, node };
}
