import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { quietEnv } from "../integration/clone.js";

const home = resolve("editors/vscode/code-server");
const vscode = join(home, "node_modules", "code-server", "lib", "vscode");

/** The modules that have to be compiled here. VS Code can do without the others. */
const compiled = new Map([
  ["native-watchdog", "watchdog.node"],
  ["node-pty", "pty.node"],
]);

/** Installs VS Code from the npm registry, unless it is there. Returns why it cannot be installed. */
export function installVsCode(): string | undefined {
  const isThere = () =>
    [...compiled].every(([name, file]) =>
      existsSync(join(vscode, "node_modules", name, "build", "Release", file)),
    );
  if (isThere()) return undefined;
  const flags = ["--no-audit", "--no-fund"];
  const npm = (cwd: string, ...args: readonly string[]): string =>
    spawnSync("npm", args, { cwd, env: quietEnv, encoding: "utf8" }).stderr;
  // The install script of code-server would also compile what needs the headers of Kerberos, and download ripgrep.
  const said = [
    npm(home, "ci", "--ignore-scripts", ...flags),
    npm(vscode, "install", "--ignore-scripts", "--omit=dev", ...flags),
    // The script of node-pty fails after it was compiled, where npx may not install anything.
    ...[...compiled.keys()].map((name) => npm(vscode, "rebuild", name)),
  ];
  return isThere() ? undefined : `code-server cannot be installed here:\n${said.join("")}`;
}

/** VS Code as a server for browsers, which keeps everything in one folder. */
export class VsCode {
  private constructor(
    private readonly server: ChildProcess,
    private readonly host: string,
  ) {}

  static async start(folder: string, extension: string, settings: object): Promise<VsCode> {
    const userSettings = join(folder, "data", "User");
    mkdirSync(userSettings, { recursive: true });
    writeFileSync(join(userSettings, "settings.json"), JSON.stringify(settings));
    const main = join(vscode, "out", "server-main.js");
    const terms = ["--accept-server-license-terms", "--telemetry-level", "off"];
    const args = [main, ...terms, "--server-data-dir", folder];
    const options = {
      cwd: folder,
      env: { ...quietEnv, HOME: folder, XDG_CACHE_HOME: join(folder, "cache") },
    };
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [...args, "--install-extension", extension],
      { ...options, encoding: "utf8" },
    );
    if (status !== 0) throw new Error(`The extension was not installed:\n${stdout}${stderr}`);
    const place = [
      "--host",
      "127.0.0.1",
      "--port",
      "0",
      "--without-connection-token",
      "--enable-remote-auto-shutdown",
    ];
    const server = spawn(process.execPath, [...args, ...place], {
      ...options,
      stdio: ["ignore", "pipe", "ignore"],
      detached: true,
    });
    return new VsCode(server, `127.0.0.1:${await portOf(server)}`);
  }

  /** The address that opens a file of a folder. */
  fileAddress(folder: string, file: string): string {
    const payload = JSON.stringify([["openFile", `vscode-remote://${this.host}${join(folder, file)}`]]);
    return `http://${this.host}/?${new URLSearchParams({ folder, payload }).toString()}`;
  }

  /** Ends all of its processes, which would otherwise go on writing for a while. */
  async stop(): Promise<void> {
    const ended = once(this.server, "exit");
    if (this.server.pid !== undefined) process.kill(-this.server.pid, "SIGKILL");
    await ended;
  }
}

async function portOf(server: ChildProcess): Promise<string> {
  let said = "";
  for await (const chunk of server.stdout ?? []) {
    said += String(chunk);
    const port = /listening on (\d+)/u.exec(said)?.[1];
    if (port !== undefined) {
      server.stdout?.resume();
      return port;
    }
  }
  throw new Error(`VS Code did not start:\n${said}`);
}
