import { dirname, join, resolve } from "node:path";
import { decidingNames } from "../config/find-config.js";
import { boundaryOf } from "../files/ignore-files.js";
import type { LintRequest } from "../request/lint-request.js";
import { discover } from "../search/discover.js";
import { Asked, foldersBelow, foldersHolding, stampOf, watchableFolder } from "./asked.js";

/** What there was to lint at one moment, and every file that decides what is found. */
export class Snapshot {
  readonly targets: readonly string[];
  /** To be filled by the run that lints this. */
  readonly asked: Asked;
  private readonly around: readonly string[];
  private readonly stamps: Map<string, string>;
  /** To what the run before this asked. */
  private readonly answers: Asked;

  constructor(
    cwd: string,
    paths: readonly string[],
    { config, baseline, updateBaseline, kind }: LintRequest,
    earlier?: Snapshot,
  ) {
    this.asked = new Asked(cwd);
    this.answers = earlier?.asked.again() ?? new Asked(cwd);
    this.targets = discover(paths, cwd, kind).targets.map(({ path }) => path);
    const own = new Set(this.targets.map((path) => dirname(path)));
    const above = new Set([...own].flatMap((folder) => foldersUpTo(folder, boundaryOf(folder, cwd))));
    const named = [config === false ? undefined : config, updateBaseline ? undefined : baseline];
    const files = named.flatMap((file) => (file === undefined ? [] : resolve(cwd, file)));
    const deciding = [...above].flatMap((folder) => decidingNames.map((name) => join(folder, name)));
    this.stamps = new Map([...this.targets, ...deciding, ...files].map((path) => [path, stampOf(path)]));
    const present = [...this.stamps].flatMap(([path, stamp]) => (stamp === "" ? [] : foldersHolding(path)));
    this.around = [
      ...above,
      ...searchedFolders(paths, cwd),
      ...files.map((file) => dirname(file)),
      ...present,
    ];
  }

  get folders(): ReadonlySet<string> {
    return new Set([...this.around, ...this.answers.folders(), ...this.asked.folders()]);
  }

  /** The files that are not as they were. What only decides about a new or a lost pack need not have changed. */
  since(earlier: Snapshot): readonly string[] {
    const paths = new Set([...earlier.stamps.keys(), ...this.targets]);
    const changed = [...paths].filter((path) => (earlier.stamps.get(path) ?? "") !== this.stampOf(path));
    return [...new Set([...changed, ...this.answers.since(earlier.asked)])];
  }

  /** Takes a file as it is now: what we write ourselves is no change. */
  renew(path: string): void {
    this.stamps.set(path, stampOf(path));
    this.asked.renew(path);
  }

  private stampOf(path: string): string {
    return this.stamps.get(path) ?? stampOf(path);
  }
}

function foldersUpTo(folder: string, boundary: string): readonly string[] {
  const folders = [folder];
  for (let current = folder; current !== boundary && dirname(current) !== current;) {
    current = dirname(current);
    folders.push(current);
  }
  return folders;
}

function searchedFolders(paths: readonly string[], cwd: string): readonly string[] {
  return (paths.length === 0 ? ["."] : paths).flatMap((path) => {
    const root = watchableFolder(resolve(cwd, path));
    // Whoever names a file means that one: what lies below its folder need not be walked.
    if (root !== resolve(cwd, path) && !path.includes("**")) return [root];
    return foldersBelow(root, cwd);
  });
}
