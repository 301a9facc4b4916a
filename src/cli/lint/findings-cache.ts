import { createHash, createHmac, randomBytes } from "node:crypto";
import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Diagnostic } from "../../diagnostic.js";
import { defaultLimits } from "../../document/file-format.js";
import { LineMap } from "../../document/line-map.js";
import { openText } from "../../document/text-document.js";
import { namesOf } from "../../properties/property.js";
import type { FileReport } from "../../reporters/report.js";
import { rules } from "../../rules/index.js";
import { toolInfo } from "../../text/tool-info.js";
import type { LintRequest } from "../config/lint-request.js";
import { fileContext } from "../config/lint-with-settings.js";
import type { Settings } from "../config/settings.js";
import { displayPath } from "../files/paths.js";
import { describeIoError } from "../files/read-file.js";
import { makeFolders } from "../files/write-file.js";
import type { Io } from "../terminal/io.js";
import { printMessage } from "../terminal/messages.js";
import type { LintSource } from "./file-linter.js";
import type { LintedFile } from "./file-reports.js";

/** A question that a rule asked about a file beside the pack, and a digest of the answer. */
type Lookup = readonly [question: "fileExists" | "readFileBeside", name: string, answer: string];

/** Enough for the packs of many repositories; each takes a few kilobytes. */
const mostEntries = 10_000;

/**
 * The findings of earlier runs, for `--cache`. An entry is named by all that its findings depend on but for the files beside
 * the pack, which it lists. It is signed with a key that only the user can read, because a repository could bring along a
 * cache of its own.
 */
export class FindingsCache {
  private hasWritten = false;

  private constructor(
    private readonly io: Io,
    private readonly folder: string,
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
    const folder = cache.folder === undefined ? join(own, "findings") : resolve(io.cwd, cache.folder);
    try {
      const key = readKey(join(own, "key"));
      makeFolders(folder);
      accessSync(join(folder, "/"), constants.W_OK);
      const settings = { ...request, rules: [...request.rules] };
      const forAll = JSON.stringify([io.userCache?.build ?? toolInfo.version, settings]);
      return new FindingsCache(io, folder, key, forAll);
    } catch (error) {
      printMessage(io, `The cache "${displayPath(folder, io.cwd)}" ${describeIoError(error, "written")}.`);
      return undefined;
    }
  }

  /** `lint` is told where to note what it looks up. Files of routes depend on each other, and are not cached. */
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

  tidy(): void {
    const names = this.hasWritten ? readdirSync(this.folder) : [];
    if (names.length <= mostEntries) return;
    const paths = names.map((name) => join(this.folder, name));
    const byAge = new Map(
      paths.map((path) => [path, statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0]),
    );
    paths.sort((a, b) => (byAge.get(a) ?? 0) - (byAge.get(b) ?? 0));
    for (const path of paths.slice(0, names.length - mostEntries / 2)) rmSync(path, { force: true });
  }

  private nameOf({ file, path = "", bytes }: LintSource, { config }: Settings): string {
    const { cwd } = this.io;
    const forFile = [
      file,
      existsSync(dirname(path)),
      config && [displayPath(config.path, cwd), config.document.text],
    ];
    const hash = createHash("sha256")
      .update(JSON.stringify([this.forAll, forFile]))
      .update(bytes);
    return hash.digest("hex");
  }

  private read(name: string, source: LintSource, settings: Settings): LintedFile | undefined {
    let text: string;
    try {
      text = readFileSync(join(this.folder, name), "utf8");
    } catch {
      return undefined;
    }
    const [signature = "", body = ""] = text.split("\n");
    if (signature !== this.sign(name, body)) return undefined;
    const { lookups, linted } = JSON.parse(body) as { lookups: readonly Lookup[]; linted: Stored };
    const context = fileContext(source);
    const isSame = ([question, asked, answer]: Lookup) => digest(context[question]?.(asked)) === answer;
    return lookups.every(isSame) ? restore(linted, source, settings) : undefined;
  }

  private write(name: string, lookups: readonly Lookup[], linted: LintedFile, settings: Settings): void {
    const body = JSON.stringify({ lookups, linted: store(linted, settings) });
    try {
      writeFileSync(join(this.folder, name), `${this.sign(name, body)}\n${body}`, { mode: 0o600 });
      this.hasWritten = true;
    } catch {
      // A cache that is full or gone costs only time.
    }
  }

  private sign(name: string, body: string): string {
    return createHmac("sha256", this.key).update(name).update(body).digest("hex");
  }
}

/** Made by the first run. */
function readKey(file: string): Uint8Array {
  try {
    writeFileSync(file, randomBytes(32), { flag: "wx", mode: 0o600 });
  } catch {
    // There is one already.
  }
  return readFileSync(file);
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
