import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Diagnostic } from "../../src/diagnostic.js";
import { folderOf, promptpack, type Ran } from "../cli/harness.js";

interface FolderReport {
  readonly files: readonly { readonly file: string; readonly diagnostics: readonly Diagnostic[] }[];
}

/** What the command prints when it searches a folder with these files. */
async function lintWith(files: Readonly<Record<string, string>>, flags: readonly string[]): Promise<Ran> {
  const ran = await promptpack(["lint", "--full", ...flags], {
    cwd: folderOf(files),
    terminal: 80,
    env: { NO_COLOR: "1" },
  });
  // It says there what it could not do.
  if (ran.stderr !== "") throw new Error(ran.stderr);
  return ran;
}

export async function printedFor(files: Readonly<Record<string, string>>): Promise<string> {
  return (await lintWith(files, [])).stdout;
}

/** The findings in such a folder, each with its file: those of one rule, or of all that are on. */
export async function findingsIn(
  files: Readonly<Record<string, string>>,
  only?: string,
): Promise<readonly Diagnostic[]> {
  // The command fails where a file cannot be read and no rule says so.
  const alone = only === undefined ? [] : ["--only", only, "--only", "parse-error"];
  const { stdout } = await lintWith(files, ["-f", "json", ...alone]);
  const report = JSON.parse(stdout) as FolderReport;
  return report.files
    .flatMap(({ file, diagnostics }) => diagnostics.map((found) => ({ ...found, file })))
    .filter(({ rule }) => only === undefined || rule === only);
}

/** The texts of the files below a folder, by their paths. */
export function filesBelow(folder: string): Readonly<Record<string, string>> {
  const names = (readdirSync(folder, { recursive: true }) as string[]).map((name) =>
    name.replaceAll("\\", "/"),
  );
  const files = names.filter((name) => statSync(join(folder, name)).isFile()).sort();
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}
