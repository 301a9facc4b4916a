import { createHash, createHmac, randomBytes } from "node:crypto";
import { accessSync, constants, existsSync, lstatSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Diagnostic } from "../../diagnostic.js";
import { defaultLimits } from "../../document/file-format.js";
import { LineMap } from "../../document/scan-text.js";
import { openText } from "../../document/text-document.js";
import { namesOf } from "../../properties/property.js";
import type { FileReport } from "../../reporters/report.js";
import { rules } from "../../rules/index.js";
import { toolInfo } from "../../text/tool-info.js";
import type { LintRequest } from "../config/lint-request.js";
import { fileContext } from "../config/lint-with-settings.js";
import type { Settings } from "../config/settings.js";
import { displayPath } from "../files/paths.js";
import { describeIoError, FileError, readRegularFile } from "../files/read-file.js";
import { HeldFolder, ignoreErrors, resolveLinks } from "../files/write-file.js";
import { type Io, printMessage } from "../terminal/io.js";
import type { LintSource } from "./file-linter.js";
import type { LintedFile } from "./file-reports.js";

/** A question that a rule asked about a file beside the pack, and a digest of the answer. */
type Lookup = readonly [question: "fileExists" | "readFileBeside", name: string, answer: string];

/** Enough for the packs of many repositories; each takes a few kilobytes. */
const mostEntries = 10_000;

const maxEntryBytes = 16 * 1024 * 1024;

/** Only files with such a name that begin with this line are ever removed. */
const entryName = /^[\da-f]{64}\.findings$/u;
const entryMark = "promptpack findings\n";

/**
 * The findings of earlier runs, for `--cache`. The name of an entry depends on all that its findings depend on but for the
 * files beside the pack, which it lists. Names and entries are signed with a key that only the user can read, because a
 * repository could bring along a cache of its own. Whatever is wrong with an entry, the pack is linted instead.
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
      const key = readKey(own);
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

  /** `lint` notes what it looks up. Files of routes depend on each other, and are not cached. */
  async findingsOf(
    source: LintSource,
    settings: Settings,
    lint: (source: LintSource) => Promise<LintedFile>,
  ): Promise<LintedFile> {
    if (source.routes !== undefined || source.path === undefined) return lint(source);
    const name = this.nameOf(source, settings);
    const known = this.read(name, source, settings);
    if (known !== undefined) return known;
    const lookups: Lookup[] = [];
    const linted = await lint({
      ...source,
      onAnswer: (question, asked, answer) => lookups.push([question, asked, digest(answer)]),
    });
    if (!linted.hasFaults && linted.report.specVersion !== "RFC-103")
      this.write(name, lookups, linted, settings);
    return linted;
  }

  close(): void {
    if (this.hasWritten) ignoreErrors(() => this.removeOldest());
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

  private nameOf({ file, path = "", bytes }: LintSource, { config }: Settings): string {
    const { cwd } = this.io;
    const forFile = [
      file,
      existsSync(dirname(path)),
      config && [displayPath(config.path, cwd), config.document.text],
    ];
    const hash = createHmac("sha256", this.key)
      .update(JSON.stringify([this.forAll, forFile]))
      .update(bytes);
    return `${hash.digest("hex")}.findings`;
  }

  private read(name: string, source: LintSource, settings: Settings): LintedFile | undefined {
    const bytes = this.bytesOf(name, maxEntryBytes);
    if (bytes === undefined) return undefined;
    const body = bytes.subarray(headLength);
    if (headOf(bytes) !== this.signed(name, body)) return undefined;
    const text = new TextDecoder().decode(body);
    const { lookups, linted } = JSON.parse(text) as { lookups: readonly Lookup[]; linted: Stored };
    const context = fileContext(source);
    const isSame = ([question, asked, answer]: Lookup) => digest(context[question]?.(asked)) === answer;
    return lookups.every(isSame) ? restore(linted, source, settings) : undefined;
  }

  /** At most `limit` + 1 of them. */
  private bytesOf(name: string, limit: number): Uint8Array | undefined {
    try {
      return readRegularFile(this.folder.at(name), limit, false);
    } catch {
      return undefined;
    }
  }

  private write(name: string, lookups: readonly Lookup[], linted: LintedFile, settings: Settings): void {
    const body = JSON.stringify({ lookups, linted: store(linted, settings) });
    // A cache that is full or gone costs only time. So does an entry that is torn: its signature does not fit.
    ignoreErrors(() => {
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

function readKey(path: string): Uint8Array {
  const folder = HeldFolder.open(resolveLinks(path));
  try {
    return keyIn(folder) ?? makeKey(folder);
  } finally {
    folder.close();
  }
}

/** Undefined if it is damaged, too. */
function keyIn(folder: HeldFolder): Uint8Array | undefined {
  try {
    const key = readRegularFile(folder.at("key"), keyBytes, false);
    return key.length === keyBytes ? key : undefined;
  } catch {
    return undefined;
  }
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

function digest(answer: boolean | string | undefined): string {
  return typeof answer === "string" ? createHash("sha256").update(answer).digest("hex") : String(answer);
}

type Stored = ReturnType<typeof store>;

/** Without what the settings and the text of the file tell. */
function store(linted: LintedFile, { ignoredFindings, properties }: Settings) {
  const { format, report, mayReport, usedEntries, danglingEntries, propertyNames } = linted;
  const { specVersion, diagnostics, suppressed, stablePointers } = report;
  const all = allFindings(report);
  const indexesOf = (entries: LintedFile["usedEntries"]) =>
    ignoredFindings.flatMap((entry, index) => (entries.has(entry) ? index : []));
  return {
    format,
    specVersion,
    diagnostics,
    suppressed,
    stablePointers: stablePointers && all.map((each) => stablePointers.get(each) ?? each.pointer),
    silentRules: rules.flatMap(({ id }) => (mayReport(id) ? [] : id)),
    usedEntries: indexesOf(usedEntries),
    danglingEntries: indexesOf(danglingEntries),
    propertyNames: propertyNames?.map(({ property, isConcerned, missing }) => ({
      property: properties.indexOf(property),
      isConcerned,
      missing: missing.map(({ name, nearest }) => ({
        name: namesOf(property).findIndex((each) => each.name === name),
        nearest,
      })),
    })),
  };
}

function restore(stored: Stored, { file, bytes }: LintSource, settings: Settings): LintedFile | undefined {
  const { format, specVersion, diagnostics, suppressed, silentRules, propertyNames } = stored;
  const text = openText(bytes, format, defaultLimits);
  if (typeof text !== "string") return undefined;
  const { levels, ignoredFindings, properties } = settings;
  const silent = new Set(silentRules);
  const entriesAt = (indexes: readonly number[]) =>
    new Set(indexes.flatMap((index) => ignoredFindings[index] ?? []));
  const report = { file, specVersion, diagnostics, suppressed, lines: new LineMap(text) };
  const pointers = stored.stablePointers;
  const stablePointers =
    pointers && new Map(allFindings(report).map((each, index) => [each, pointers[index] ?? each.pointer]));
  return {
    format,
    hasFaults: false,
    levels,
    mayReport: (rule) => !silent.has(rule),
    usedEntries: entriesAt(stored.usedEntries),
    danglingEntries: entriesAt(stored.danglingEntries),
    propertyNames: propertyNames?.flatMap(({ property: index, isConcerned, missing }) => {
      const property = properties[index];
      if (property === undefined) return [];
      const names = namesOf(property);
      const found = missing.flatMap(({ name, nearest }) => {
        const named = names[name];
        return named === undefined ? [] : { ...named, nearest };
      });
      return { property, isConcerned, missing: found };
    }),
    report: { ...report, ...(stablePointers && { stablePointers }) },
  };
}

function allFindings({ diagnostics, suppressed }: FileReport): readonly Diagnostic[] {
  return [...diagnostics, ...suppressed.map(({ diagnostic }) => diagnostic)];
}
