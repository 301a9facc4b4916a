import { resolve } from "node:path";
import type { Diagnostic } from "../../diagnostic.js";
import { compactLine } from "../../reporters/compact.js";
import { compareContent, compilePack, type PackDifference } from "../../sources/compile-pack.js";
import { tryTo } from "../../text/collections.js";
import { escapeInvisible, exactJson } from "../../text/escape.js";
import { maskSecrets } from "../../text/secrets.js";
import { toolInfo } from "../../text/tool-info.js";
import { listNamesOf, pluralize } from "../../text/wording.js";
import { type LimitFlags, readLimits } from "../config/flags.js";
import { discover, isFoundHead, type Target } from "../files/discover.js";
import { realPathOf } from "../files/paths.js";
import { orUsageError, readRequiredFile } from "../files/read-file.js";
import { writeOutputFile } from "../files/write-file.js";
import { type Io, printMessage, quoteForShell, UsageError } from "../terminal/io.js";
import { openSource } from "./open-pack.js";

export interface CompileFlags extends LimitFlags {
  readonly output?: string;
  readonly id?: string;
  readonly createdAt?: string;
  readonly check?: string;
  readonly force?: true;
}

export async function compileSources(io: Io, head: string | undefined, flags: CompileFlags): Promise<number> {
  const { output, check, id, force } = flags;
  if (check !== undefined && output !== undefined)
    throw new UsageError('"--check" writes nothing, so it cannot be used with "--output".');
  const { path, file } = findHead(io, head ?? ".");
  const bytes = readRequiredFile(path, file, readLimits(flags).maxBytes);
  const opened = await openSource(io, { file, path, bytes }, flags);
  if (opened === undefined) throw new UsageError(`"${file}" is not the head (kind: Arena) of a project.`);
  const { analysis } = opened;
  if (analysis === undefined) return 1;
  const { project } = analysis;
  if (project === undefined)
    throw new UsageError(`"${file}" names a compiled pack, so there is nothing to compile.`);
  const { lintOpenedProject } = await import("../lint/lint-project.js");
  const { files } = await lintOpenedProject(analysis, project, io.cwd, undefined);
  const errors = files.flatMap(({ file: { name }, kept }) =>
    kept.flatMap((found) => (found.severity === "error" ? [[name, found] as const] : [])),
  );
  if (errors.length > 0 && force !== true) return refuse(io, file, errors);
  const createdAt = check === undefined ? readTime(io, flags.createdAt) : "";
  const pack = compilePack(project, { id, createdAt, compiledWith: `${toolInfo.name}-${toolInfo.version}` });
  if (check !== undefined) return compare(io, file, pack, check, flags);
  const text = exactJson(pack, 2);
  if (output === undefined || output === "-") io.stdout.write(text);
  else {
    const written = realPathOf(resolve(io.cwd, output));
    if (project.files.some((source) => source.path === written))
      throw new UsageError(`"${output}" is a source of the pack: choose another file.`);
    orUsageError(`"${output}"`, "written", () => {
      writeOutputFile(io.cwd, output, text);
    });
  }
  return 0;
}

function findHead(io: Io, path: string): Target {
  if (path === "-")
    throw new UsageError("A head names files beside it, so it cannot be read from standard input.");
  const { targets, problems } = discover([path], io.cwd, "pack");
  const heads = targets.filter((target) => target.named || isFoundHead(target.path));
  const [head, ...more] = heads;
  if (head === undefined) {
    const where = path === "." ? "below the working folder" : `in "${path}"`;
    throw new UsageError(problems[0] ?? `No head (kind: Arena) of a project was found ${where}.`);
  }
  if (more.length > 0) {
    const names = listNamesOf(heads, ({ file }) => file, 4);
    throw new UsageError(`There are several projects (${names}): name the head of one.`);
  }
  return head;
}

function refuse(io: Io, head: string, errors: readonly (readonly [string, Diagnostic])[]): number {
  for (const [file, found] of errors) io.stderr.write(`${compactLine(file, found)}\n`);
  const count = pluralize(errors.length, "error");
  printMessage(
    io,
    `"${head}" was not compiled: there ${errors.length === 1 ? "is" : "are"} ${count}. "--force" compiles it anyway.`,
  );
  return 1;
}

/** The only place where the clock may be seen in output. */
function readTime({ env }: Io, given: string | undefined): string {
  if (given !== undefined) {
    if (/^\d{4}-\d{2}-\d{2}(?:T|$)/u.test(given) && !Number.isNaN(Date.parse(given))) return given;
    throw new UsageError(`"--created-at" needs a time such as "2026-01-31T12:00:00Z", not "${given}".`);
  }
  const epoch = env["SOURCE_DATE_EPOCH"];
  if (epoch !== undefined && epoch !== "" && !/^\d{1,11}$/u.test(epoch))
    throw new UsageError(`SOURCE_DATE_EPOCH must be a number of seconds, not "${epoch}".`);
  const time = epoch === undefined || epoch === "" ? new Date() : new Date(Number(epoch) * 1000);
  return time.toISOString().replace(/\.\d+Z$/u, "Z");
}

/** More would hide what to do. */
const maxDifferences = 20;

const sentences: Readonly<Record<PackDifference["kind"], string>> = {
  differs: "differs",
  missing: "is not in the pack",
  extra: "is only in the pack",
};

function compare(
  io: Io,
  head: string,
  pack: ReturnType<typeof compilePack>,
  check: string,
  flags: CompileFlags,
): number {
  const bytes = readRequiredFile(resolve(io.cwd, check), check, readLimits(flags).maxBytes);
  const committed = parsePack(check, bytes);
  const differences = [...compareContent(pack, committed)];
  for (const { pointer, kind } of differences.slice(0, maxDifferences))
    io.stdout.write(`${maskSecrets(escapeInvisible(pointer || "The content"))} ${sentences[kind]}\n`);
  const more = differences.length - maxDifferences;
  if (more > 0) io.stdout.write(`and ${more} more\n`);
  if (differences.length === 0) return 0;
  const { id } = committed;
  const keepsId = typeof id !== "string" || id === pack["id"] ? "" : ` --id ${quoteForShell(id)}`;
  const command = `promptpack compile ${quoteForShell(head)} -o ${quoteForShell(check)}${keepsId}`;
  printMessage(io, `"${check}" is out of date: run "${command}".`);
  return 1;
}

function parsePack(file: string, bytes: Uint8Array): Readonly<Record<string, unknown>> {
  const pack = tryTo(() => JSON.parse(new TextDecoder().decode(bytes)) as unknown);
  if (typeof pack === "object" && pack !== null && "prompts" in pack) return { ...pack };
  throw new UsageError(`"${file}" is not a pack in JSON, as the compiler writes it.`);
}
