import { createHash, createHmac, randomBytes } from "node:crypto";
import { accessSync, constants, existsSync, lstatSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { defaultLimits, detectFormat } from "../../document/file-format.js";
import { openText } from "../../document/text-document.js";
import { tryTo } from "../../text/collections.js";
import { toolInfo } from "../../text/tool-info.js";
import type { LintRequest } from "../config/lint-request.js";
import type { Project } from "../../sources/project.js";
import type { SourceFile } from "../../sources/source-file.js";
import type { Settings } from "../config/settings.js";
import { displayPath } from "../files/paths.js";
import { describeIoError, FileError, readRegularFile } from "../files/read-file.js";
import { HeldFolder, inFolder, resolveLinks } from "../files/write-file.js";
import { type Io, printMessage } from "../terminal/io.js";
import type { LintedFile } from "./write-reports.js";
import { type FileBeside, fileContext, lintFile, type LintTask } from "./lint-file.js";
import { LineMap } from "../../document/scan-text.js";
import { maskSecrets } from "../../text/secrets.js";

/** A question that a rule asked about a file beside the pack, and a digest of the answer. */
type Lookup = readonly [question: "fileExists" | "readFileBeside", name: string, answer: string];

/** Without what the text of the file and its settings say, which are at hand when it is used. */
type Kept = Omit<LintedFile, "file" | "lines" | "settings" | "analysis">;

interface Entry {
  readonly lookups: readonly Lookup[];
  /** For a pack, or for each file of a project. */
  readonly findings: readonly (Kept & { readonly file?: string })[];
}

/** Enough for the packs of many repositories; each takes a few kilobytes. */
const mostEntries = 10_000;

const maxEntryBytes = 16 * 1024 * 1024;

/** Only files with such a name that begin with this line are ever removed. */
const entryName = /^[\da-f]{64}\.findings$/u;
const entryMark = "promptpack findings\n";

/**
 * The findings of earlier runs, for `--cache`. The name of an entry depends on everything that its findings
 * depend on, except for the files beside the pack, which the entry lists. Names and entries are signed with a
 * key that only the user can read, because a repository could bring along a cache of its own. If anything is
 * wrong with an entry, the pack is linted instead.
 */
export class FindingsCache {
  private hasWritten = false;

  private constructor(
    private readonly io: Io,
    private readonly folder: HeldFolder,
    private readonly key: Uint8Array,
    private readonly forAll: string,
  ) {}

  static open(io: Io, request: LintRequest): FindingsCache | undefined {
    const { cache } = request;
    if (cache === undefined || (io.env["PROMPTPACK_NO_CACHE"] ?? "") !== "") return undefined;
    const own = io.userCache?.folder();
    if (own === undefined) {
      printMessage(io, "There is no cache folder that only you can write to, so nothing is cached.");
      return undefined;
    }
    const path = cache.folder === undefined ? join(own, "findings") : resolve(io.cwd, cache.folder);
    let folder: HeldFolder | undefined;
    try {
      const key = inFolder(resolveLinks(own), false, (held) => keyIn(held) ?? makeKey(held));
      folder = HeldFolder.open(resolveLinks(path), true);
      accessSync(folder.at("."), constants.W_OK);
      const settings = { ...request, rules: [...request.rules] };
      const forAll = JSON.stringify([io.userCache?.build ?? toolInfo.version, settings]);
      return new FindingsCache(io, folder, key, forAll);
    } catch (error) {
      folder?.close();
      printMessage(io, `The cache "${displayPath(path, io.cwd)}" ${describeIoError(error, "written")}.`);
      return undefined;
    }
  }

  /** Files of routes depend on each other, and are not cached. */
  async findingsOf(task: LintTask): Promise<LintedFile> {
    if (task.routes !== undefined || task.path === undefined) return lintFile(task);
    const name = this.nameOf(task);
    const [known] = this.read(name, task) ?? [];
    const { file, bytes, settings } = task;
    if (known !== undefined) {
      const text = openText(bytes, detectFormat(file, bytes), defaultLimits);
      if (typeof text === "string") return { ...known, file, lines: new LineMap(text), settings };
    }
    const lookups: Lookup[] = [];
    const linted = await lintFile({ ...task, onAnswer: recordIn(lookups) });
    if (linted.analysis?.document.faults.length === 0 && linted.specVersion !== "RFC-103")
      this.write(name, lookups, [keptOf(linted)]);
    return linted;
  }

  /** The findings of a project, whose texts are at hand. */
  async findingsIn(
    project: Project,
    task: FileBeside,
    settingsOf: (file: SourceFile) => Settings,
    lint: (onAnswer: ReturnType<typeof recordIn>) => Promise<readonly LintedFile[]>,
  ): Promise<readonly LintedFile[]> {
    const { cwd } = this.io;
    const parts = project.files.map((file) => {
      const { config, ignoredBy } = settingsOf(file);
      const own = config && [displayPath(config.path, cwd), config.document.text];
      return [file.name, file.kind, file.isTemplate, ignoredBy, own];
    });
    const faults = project.listed.map(({ fault }) => fault);
    const name = this.hashed([parts, faults, existsSync(dirname(project.first.path))], project.document.text);
    const known = this.read(name, task);
    if (known !== undefined) {
      const byName = new Map(known.map((findings) => [findings.file, findings]));
      return project.files.flatMap((file) => {
        const findings = byName.get(file.name);
        if (findings === undefined) return [];
        return { ...findings, file: file.name, lines: project.linesOf(file), settings: settingsOf(file) };
      });
    }
    const lookups: Lookup[] = [];
    const linted = await lint(recordIn(lookups));
    const isReadable = project.files.every(({ document }) => document.faults.length === 0);
    if (isReadable)
      this.write(
        name,
        lookups,
        linted.map((file) => ({ ...keptOf(file), file: file.file })),
      );
    return linted;
  }

  close(): void {
    if (this.hasWritten) tryTo(() => this.removeOldest());
    this.folder.close();
  }

  private removeOldest(): void {
    const { folder } = this;
    folder.removeAbandonedDrafts();
    const named = readdirSync(folder.at(".")).filter((name) => entryName.test(name));
    if (named.length <= mostEntries) return;
    const isMarked = (bytes: Uint8Array | undefined) => bytes && headOf(bytes) === entryMark;
    const entries = named.filter((name) => isMarked(this.bytesOf(name, entryMark.length - 1)));
    if (entries.length <= mostEntries) return;
    const times = new Map(
      entries.map((name) => [name, lstatSync(folder.at(name), { throwIfNoEntry: false })?.mtimeMs ?? 0]),
    );
    entries.sort((a, b) => (times.get(a) ?? 0) - (times.get(b) ?? 0));
    for (const name of entries.slice(0, entries.length - mostEntries / 2)) folder.remove(name);
  }

  private nameOf({ file, path = "", bytes, settings: { config } }: LintTask): string {
    const { cwd } = this.io;
    const forFile = [
      file,
      existsSync(dirname(path)),
      config && [displayPath(config.path, cwd), config.document.text],
    ];
    return this.hashed(forFile, bytes);
  }

  private hashed(parts: unknown, content: string | Uint8Array): string {
    const hash = createHmac("sha256", this.key)
      .update(JSON.stringify([this.forAll, parts]))
      .update(content);
    return `${hash.digest("hex")}.findings`;
  }

  private read(name: string, task: FileBeside): Entry["findings"] | undefined {
    const entry = this.bytesOf(name, maxEntryBytes);
    if (entry === undefined) return undefined;
    const body = entry.subarray(headLength);
    if (headOf(entry) !== this.signed(name, body)) return undefined;
    const { lookups, findings } = JSON.parse(new TextDecoder().decode(body)) as Entry;
    const context = fileContext(task);
    const isSame = ([question, asked, answer]: Lookup) => digest(context[question]?.(asked)) === answer;
    return lookups.every(isSame) ? findings : undefined;
  }

  private bytesOf(name: string, limit: number): Uint8Array | undefined {
    return tryTo(() => readRegularFile(this.folder.at(name), limit, false));
  }

  private write(name: string, lookups: readonly Lookup[], findings: Entry["findings"]): void {
    const body = JSON.stringify({ lookups, findings } satisfies Entry);
    // Messages have a mask, but a fix or the pointer of a key has to be exact.
    if (maskSecrets(body) !== body) return;
    // A cache that is full or gone costs only time. So does an entry that is torn: its signature does not fit.
    tryTo(() => {
      this.folder.put(name, [this.signed(name, body), body], { mode: 0o600, isDurable: false });
      this.hasWritten = true;
    });
  }

  private signed(name: string, body: string | Uint8Array): string {
    return `${entryMark}${createHmac("sha256", this.key).update(name).update(body).digest("hex")}\n`;
  }
}

/** The mark and the signature. */
const headLength = entryMark.length + 65;

function headOf(entry: Uint8Array): string {
  return Buffer.from(entry.subarray(0, headLength)).toString("latin1");
}

const keyBytes = 32;

/** Undefined if it is damaged, too. */
function keyIn(folder: HeldFolder): Uint8Array | undefined {
  const key = tryTo(() => readRegularFile(folder.at("key"), keyBytes, false));
  return key?.length === keyBytes ? key : undefined;
}

/** If several processes make one at once, all use the one that is there in the end. */
function makeKey(folder: HeldFolder): Uint8Array {
  const isNew = !existsSync(folder.at("key"));
  const confirm = (): void => {
    if (keyIn(folder) !== undefined) throw new FileError("has a key by now");
  };
  let failure: unknown;
  try {
    folder.put("key", [randomBytes(keyBytes)], { mode: 0o600, isNew, confirm });
  } catch (error) {
    failure = error;
  }
  const key = keyIn(folder);
  if (key === undefined) throw failure;
  return key;
}

function keptOf({ file: _, lines: __, settings: ___, analysis: ____, ...findings }: LintedFile): Kept {
  return findings;
}

function recordIn(lookups: Lookup[]): NonNullable<LintTask["onAnswer"]> {
  return (question, asked, answer) => lookups.push([question, asked, digest(answer)]);
}

function digest(answer: boolean | string | undefined): string {
  return typeof answer === "string" ? createHash("sha256").update(answer).digest("hex") : String(answer);
}
