import { join } from "node:path";
import process from "node:process";
import { type ExtensionContext, workspace } from "vscode";

/** How promptpack is started. Never through a shell, so nothing has to be quoted. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  /** To add to the environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** The promptpack that the user has set, or the one in this extension. */
export function findProgram(context: ExtensionContext): Program {
  const set = workspace.getConfiguration("promptpack").get("path", "").trim();
  if (set !== "" && !/\.[cm]?js$/u.test(set)) return { command: set, args: [], env: {} };
  const script = set === "" ? context.asAbsolutePath(join("server", "bin", "promptpack.js")) : set;
  // VS Code itself, which this variable turns into Node.js.
  return { command: process.execPath, args: [script], env: { ELECTRON_RUN_AS_NODE: "1" } };
}
