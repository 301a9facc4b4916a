import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, lstatSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";

const author = [
  "-c",
  "user.name=Test",
  "-c",
  "user.email=test@example.invalid",
  "-c",
  "commit.gpgsign=false",
];

/** The settings of whoever runs the tests stay out of it; npm still finds its registry by theirs. */
export const quietEnv: NodeJS.ProcessEnv = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(?:GIT_|PRE_COMMIT|PROMPTPACK_|npm_package_)/u.test(name),
    ),
  ),
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
};

export function git(cwd: string, ...args: readonly string[]): string {
  return execFileSync("git", [...author, ...args], { cwd, env: quietEnv, encoding: "utf8" });
}

export function hasProgram(name: string): boolean {
  return spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0;
}

/** A clone of this repository as it stands in the working folder, changes that are not committed yet included. */
export function cloneProject(folder: string): void {
  const root = process.cwd();
  git(root, "clone", "--quiet", "--no-hardlinks", root, folder);
  const list = (...flags: readonly string[]) =>
    git(root, "ls-files", "-z", ...flags)
      .split("\0")
      .filter(Boolean);
  for (const file of list("--cached", "--others", "--exclude-standard")) {
    const from = join(root, file);
    if (lstatSync(from, { throwIfNoEntry: false })?.isFile() !== true) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    copyFileSync(from, join(folder, file));
  }
  for (const file of list("--deleted")) rmSync(join(folder, file), { force: true });
  git(folder, "add", "--all");
  git(folder, "commit", "--quiet", "--allow-empty", "--message", "as it stands");
}
