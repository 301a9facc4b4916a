import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import type { Document } from "../../document/document.js";
import { defaultLimits } from "../../document/file-format.js";
import { asMapping, stringOf } from "../../document/node.js";
import { readDocumentLazily } from "../../document/read-lazily.js";
import type { FileReport } from "../../reporters/report.js";
import { Baseline, type LocatedEntry } from "../../suppress/baseline.js";
import { getOrCreate } from "../../text/collections.js";
import { newestSpecVersion } from "../../text/tool-info.js";
import { displayLocation, displayPath, realPathOf, withForwardSlashes } from "../files/paths.js";
import { describeFileFault, describeIoError, readRegularFile } from "../files/read-file.js";
import { putFile, resolveTarget } from "../files/write-file.js";
import type { LintedFile } from "./write-reports.js";
import { isSparseCheckout } from "../files/discover.js";
import { UsageError } from "../terminal/io.js";

const schemaVersion = 1;

export class BaselineFile extends Baseline {
  private readonly realPaths = new Map<string, string>();
  private sparse: boolean | undefined;

  private constructor(
    private readonly path: string,
    /** The path without its links, to write to. */
    private readonly target: string,
    private readonly cwd: string,
    document: Document | undefined,
  ) {
    super(document === undefined ? [] : readEntries(document, displayPath(path, cwd)), document);
  }

  static async open(file: string, cwd: string, isUpdated: boolean): Promise<BaselineFile> {
    const path = resolve(cwd, file);
    const target = isUpdated ? resolveBaseline(file, cwd) : path;
    const isNew = isUpdated && !existsSync(path);
    const document = isNew ? undefined : await readBaseline(path, displayPath(path, cwd));
    return new BaselineFile(path, target, cwd, document);
  }

  apply(linted: readonly LintedFile[]): readonly FileReport[] {
    const { files, stale } = this.applyTo(linted);
    if (this.document === undefined || stale.length === 0) return files;
    const file = displayPath(this.path, this.cwd);
    const { lines } = this.document;
    const report = { file, specVersion: newestSpecVersion, diagnostics: stale, suppressed: [], lines };
    return [...files, { ...report, isConfigFile: true }];
  }

  update(linted: readonly LintedFile[]): { readonly reports: readonly FileReport[]; readonly size: number } {
    const { files, entries } = this.recordAll(linted);
    putFile(this.target, [JSON.stringify({ schemaVersion, findings: entries }, null, 2) + "\n"]);
    return { reports: files, size: entries.length };
  }

  protected override nameOf(file: string): string {
    return withForwardSlashes(relative(dirname(this.path), resolve(this.cwd, file)));
  }

  protected override realPathOf(name: string): string {
    return getOrCreate(this.realPaths, name, () => realPathOf(resolve(dirname(this.path), name)));
  }

  protected override mayExist(name: string): boolean {
    const folder = dirname(this.path);
    return existsSync(resolve(folder, name)) || (this.sparse ??= isSparseCheckout(folder));
  }

  protected override digest(text: string): string {
    return createHash("sha256").update(text).digest("hex").slice(0, 20);
  }
}

async function readBaseline(path: string, shown: string): Promise<Document> {
  const document = await readDocumentLazily(readBaselineBytes(path, shown), "json", defaultLimits);
  const [fault] = document.faults;
  if (fault === undefined) return document;
  const place = displayLocation(shown, document, fault.start);
  throw new UsageError(`${place}: ${describeFileFault(fault, "baseline")}`);
}

function resolveBaseline(file: string, cwd: string): string {
  try {
    return resolveTarget(file, cwd);
  } catch (error) {
    throw new UsageError(`The baseline "${file}" ${describeIoError(error, "written")}.`);
  }
}

function readBaselineBytes(path: string, shown: string): Uint8Array {
  try {
    return readRegularFile(path, defaultLimits.maxBytes);
  } catch (error) {
    const hint = existsSync(path) ? "" : ' "--update-baseline" writes one.';
    throw new UsageError(`The baseline "${shown}" ${describeIoError(error)}.${hint}`);
  }
}

function readEntries(document: Document, shown: string): readonly LocatedEntry[] {
  const root = asMapping(document.root);
  const findings = root?.get("findings");
  if (findings?.kind !== "sequence")
    throw new UsageError(`"${shown}" is not a baseline: it has no "findings" list.`);
  const version = root?.get("schemaVersion");
  if (version?.kind === "scalar" && version.value !== schemaVersion)
    throw new UsageError(
      `"${shown}" is a baseline of version ${JSON.stringify(version.value)}, but this promptpack reads only version ${schemaVersion}.`,
    );
  return findings.items.map((node) => {
    const [file, rule, pointer, fingerprint] = ["file", "rule", "pointer", "fingerprint"].map((key) =>
      stringOf(asMapping(node)?.get(key)),
    );
    if (file === undefined || rule === undefined || pointer === undefined || fingerprint === undefined) {
      const place = displayLocation(shown, document, node.start);
      throw new UsageError(`${place}: An entry needs "file", "rule", "pointer" and "fingerprint".`);
    }
    const at = { pointer: node.pointer, start: node.start, end: node.start + 1 };
    return { file, rule, pointer, fingerprint, at };
  });
}
