import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import type { Document } from "../../document/document.js";
import { defaultLimits } from "../../document/file-format.js";
import { asMapping, stringOf } from "../../document/node.js";
import { readDocumentLazily } from "../../document/read-lazily.js";
import type { FileReport } from "../../reporters/report.js";
import { Baseline, type BaselineFolder, entryKeys, type LocatedEntry } from "../../suppress/baseline.js";
import type { Suppressor } from "../../suppress/suppress.js";
import { getOrCreate, lazy } from "../../text/collections.js";
import { isSparseCheckout } from "../files/discover.js";
import { displayLocation, displayPath, realPathOf, withForwardSlashes } from "../files/paths.js";
import { describeFileFault, describeIoError, orUsageError, readRegularFile } from "../files/read-file.js";
import { putFile, resolveTarget } from "../files/write-file.js";
import { UsageError } from "../terminal/io.js";
import { configFileReport, type LintedFile } from "./write-reports.js";
import { maskSecrets } from "../../text/secrets.js";

const schemaVersion = 1;

/** A baseline on the disk. */
export class BaselineFile {
  private readonly baseline: Baseline;

  private constructor(
    private readonly shown: string,
    /** The path without its links, to write to. */
    private readonly target: string,
    /** Undefined for one that is still to be written. */
    private readonly document: Document | undefined,
    folder: BaselineFolder,
  ) {
    this.baseline = new Baseline(document === undefined ? [] : readEntries(document, shown), folder);
  }

  static async open(file: string, cwd: string, isUpdated: boolean): Promise<BaselineFile> {
    const path = resolve(cwd, file);
    const shown = displayPath(path, cwd);
    const target = isUpdated
      ? orUsageError(`The baseline "${file}"`, "written", () => resolveTarget(file, cwd))
      : path;
    const isNew = isUpdated && !existsSync(path);
    const document = isNew ? undefined : await readBaseline(path, shown);
    return new BaselineFile(shown, target, document, baselineFolder(dirname(path), cwd));
  }

  suppressorFor(file: string): Suppressor {
    return this.baseline.suppressorFor(file);
  }

  apply(linted: readonly LintedFile[]): readonly FileReport[] {
    const { document, shown } = this;
    const { files, used } = this.baseline.apply(linted);
    const stale = document === undefined ? [] : this.baseline.staleEntries(document, linted, used);
    return document === undefined || stale.length === 0
      ? files
      : [...files, configFileReport(shown, document, stale)];
  }

  update(linted: readonly LintedFile[]): { readonly reports: readonly FileReport[]; readonly size: number } {
    const { files, entries } = this.baseline.record(linted);
    const keys = ["schemaVersion", "findings", ...entryKeys];
    putFile(this.target, [maskSecrets(JSON.stringify({ schemaVersion, findings: entries }, keys, 2)) + "\n"]);
    return { reports: files, size: entries.length };
  }
}

function baselineFolder(folder: string, cwd: string): BaselineFolder {
  const realPaths = new Map<string, string>();
  const isSparse = lazy(() => isSparseCheckout(folder));
  return {
    nameOf: (file) => withForwardSlashes(relative(folder, resolve(cwd, file))),
    realPathOf: (name) => getOrCreate(realPaths, name, () => realPathOf(resolve(folder, name))),
    mayExist: (name) => existsSync(resolve(folder, name)) || isSparse(),
    digest: (text) => createHash("sha256").update(text).digest("hex").slice(0, 20),
  };
}

async function readBaseline(path: string, shown: string): Promise<Document> {
  const document = await readDocumentLazily(readBaselineBytes(path, shown), "json", defaultLimits);
  const [fault] = document.faults;
  if (fault === undefined) return document;
  const place = displayLocation(shown, document, fault.start);
  throw new UsageError(`${place}: ${describeFileFault(fault, "baseline")}`);
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
    const [file, rule, pointer, fingerprint] = entryKeys.map((key) => stringOf(asMapping(node)?.get(key)));
    if (file === undefined || rule === undefined || pointer === undefined || fingerprint === undefined) {
      const place = displayLocation(shown, document, node.start);
      throw new UsageError(`${place}: An entry needs "file", "rule", "pointer" and "fingerprint".`);
    }
    const at = { pointer: node.pointer, start: node.start, end: node.start + 1 };
    return { file, rule, pointer, fingerprint, at };
  });
}
