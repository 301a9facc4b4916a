import { spawn } from "node:child_process";
import process from "node:process";
import { pathToFileURL } from "node:url";
import type { Io } from "../terminal/io.js";

/** A program that still runs after this time is taken for the browser itself. */
const patience = 2_000;

/** False if no browser could be started. */
export function openInBrowser(file: string, env: Io["env"]): Promise<boolean> {
  const [program, ...args] = browserOpener(process.platform, env);
  return new Promise((resolve) => {
    const options = { env: { ...env }, stdio: "ignore", detached: true } as const;
    const child = spawn(program, [...args, pathToFileURL(file).href], options);
    child.once("error", () => resolve(false)).once("exit", (code) => resolve(code === 0));
    setTimeout(() => {
      child.unref();
      resolve(true);
    }, patience).unref();
  });
}

/** The program that opens an address, with its first arguments. None of them is a shell. */
export function browserOpener(platform: string, env: Io["env"]): readonly [string, ...string[]] {
  if (platform === "darwin") return ["/usr/bin/open"];
  if (platform !== "win32") return ["xdg-open"];
  return [`${env["SystemRoot"] ?? "C:\\Windows"}\\System32\\rundll32.exe`, "url.dll,FileProtocolHandler"];
}
