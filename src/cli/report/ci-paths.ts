import { relative, resolve } from "node:path";
import type { ReporterName } from "../../reporters/index.js";
import type { FileReport } from "../../reporters/report.js";
import { isBelow } from "../files/ignore-files.js";
import { realPathOf } from "../files/real-path.js";
import { withForwardSlashes } from "../files/shown-path.js";
import type { Io } from "../terminal/io.js";

/** What tells that a job runs, and where it has the repository. */
const github = { flag: "GITHUB_ACTIONS", root: "GITHUB_WORKSPACE" };
const gitlab = { flag: "GITLAB_CI", root: "CI_PROJECT_DIR" };
const ciByReporter: { readonly [name in ReporterName]?: typeof github } = { github, sarif: github, gitlab };

/** GitHub and GitLab look for files from the top of the repository, wherever in it we run. */
export function withCiPaths(
  { cwd, env }: Pick<Io, "cwd" | "env">,
  format: ReporterName,
  files: readonly FileReport[],
): readonly FileReport[] {
  const job = ciByReporter[format];
  const root = job !== undefined && env[job.flag] === "true" ? env[job.root] : undefined;
  if (root === undefined || root === "") return files;
  const top = realPathOf(resolve(cwd, root));
  const here = realPathOf(cwd);
  if (here !== top && !isBelow(top, here)) return files;
  return files.map((report) => ({ ...report, file: pathFromRoot(top, here, report.file) }));
}

/** Unchanged for standard input, and for what lies outside. */
function pathFromRoot(top: string, here: string, file: string): string {
  const path = resolve(here, file);
  return file === "<stdin>" || !isBelow(top, path) ? file : withForwardSlashes(relative(top, path));
}
