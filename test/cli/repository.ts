import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { folderOf } from "./harness.js";

const quiet = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
/** For programs that start git. */
export const gitEnv = { PATH: process.env["PATH"] ?? "", ...quiet };

/** A real repository with one commit of these files. */
export class Repository {
  readonly cwd: string;

  constructor(files: Readonly<Record<string, string>>) {
    this.cwd = folderOf({});
    rmSync(join(this.cwd, ".git"), { recursive: true });
    this.git("init", "--quiet", "--initial-branch=main");
    this.write(files);
    this.commit("begin");
  }

  git(...args: readonly string[]): string {
    const who = ["-c", "user.name=Test", "-c", "user.email=test@example.invalid"];
    return execFileSync("git", [...who, ...args], { cwd: this.cwd, env: gitEnv, encoding: "utf8" });
  }

  write(files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.cwd, name)), { recursive: true });
      writeFileSync(join(this.cwd, name), text);
    }
  }

  commit(message: string): void {
    this.git("add", "--all");
    this.git("commit", "--quiet", "--allow-empty", "--message", message);
  }
}
