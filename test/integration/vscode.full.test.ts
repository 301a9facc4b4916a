import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import {
  createProtocolConnection,
  type Diagnostic,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver-protocol/node";
import { yamlPack } from "../cli/packs.js";
import { filesIn } from "../site/built-site.js";
import { quietEnv } from "./clone.js";

const folder = mkdtempSync(join(tmpdir(), "promptpack-vscode-"));
const unpacked = join(folder, "unpacked");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** `npm run test:full` has built dist. */
function pack(name: string, env: NodeJS.ProcessEnv = {}): Buffer {
  const file = join(folder, name);
  const options = { encoding: "utf8", env: { ...quietEnv, ...env } } as const;
  const { status, stderr } = spawnSync(process.execPath, ["scripts/vscode.mjs", file], options);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return readFileSync(file);
}

const read = (path: string): string => readFileSync(join(unpacked, path), "utf8");

describe.skipIf(!hasUnzip())("the packed extension", () => {
  let bytes: Buffer;
  beforeAll(() => {
    bytes = pack("promptpack.vsix");
    expect(spawnSync("unzip", ["-q", join(folder, "promptpack.vsix"), "-d", unpacked]).status).toBe(0);
  });

  it("holds the extension, the program, and what the program reads", () => {
    const rest = readdirSync("docs/rules").map((name) => `extension/server/docs/rules/${name}`);
    const schemas = readdirSync("schema").map((name) => `extension/server/schema/${name}`);
    expect(filesIn(unpacked)).toEqual(
      [
        "[Content_Types].xml",
        "extension.vsixmanifest",
        "extension/LICENSE.txt",
        "extension/README.md",
        "extension/THIRD-PARTY-LICENSES.txt",
        "extension/extension.js",
        "extension/package.json",
        "extension/server/bin/package.json",
        "extension/server/bin/promptpack.js",
        "extension/server/dist/THIRD-PARTY-LICENSES.txt",
        "extension/server/dist/examples/codegen.pack.yaml",
        "extension/server/dist/examples/self-correcting.pack.json",
        "extension/server/dist/load.cjs",
        "extension/server/dist/program.cjs",
        "extension/server/dist/protocol.cjs",
        "extension/server/package.json",
        ...rest,
        ...schemas,
      ].sort(),
    );
  });

  it("has the version of promptpack, and names the bundle and each kind of file", () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8"));
    const manifest = JSON.parse(read("extension/package.json"));
    expect(manifest).toMatchObject({ name: "promptpack", version, main: "./extension.js" });
    expect(manifest).not.toHaveProperty("devDependencies");
    const identity = `<Identity Language="en-US" Id="promptpack" Version="${version}" Publisher="promptpack" />`;
    expect(read("extension.vsixmanifest")).toContain(identity);
    const kinds = new Set(filesIn(unpacked).map((path) => path.split(".").at(-1)));
    kinds.delete("xml");
    const named = [...read("[Content_Types].xml").matchAll(/ Extension="\.(\w+)"/gu)].map(([, kind]) => kind);
    expect(named).toEqual([...kinds].sort());
  });

  it("lets no workspace choose what is run", () => {
    const { contributes } = JSON.parse(read("extension/package.json"));
    expect(contributes.configuration.properties["promptpack.path"].scope).toBe("machine");
  });

  it("names the licences of what is bundled", () => {
    const licences = read("extension/THIRD-PARTY-LICENSES.txt");
    expect(licences).toMatch(/^vscode-languageclient \d+\.\d+\.\d+ \(MIT\)$/mu);
    expect(licences).toMatch(/^vscode-jsonrpc \d+\.\d+\.\d+ \(MIT\)$/mu);
  });

  it("is the same file every time, wherever it is packed", () => {
    expect(pack("again.vsix", { TZ: "Pacific/Auckland" }).equals(bytes)).toBe(true);
  });

  it("holds a server that works in an empty folder", async () => {
    const server = await Server.start();
    const { capabilities } = await server.initialize(["promptpack.draw", "promptpack.simulate"]);
    // VS Code would refuse to register what the extension has registered.
    expect(capabilities).not.toHaveProperty("executeCommandProvider");
    expect((await server.open("a.pack.yaml", yamlPack)).map(({ code }) => code)).toEqual([
      "unknown-entry",
      "event-name-case",
    ]);
    const lenses =
      await server.ask<{ command: { title: string; command: string } }[]>("textDocument/codeLens");
    expect(lenses.map(({ command: { title, command } }) => [title, command])).toEqual([
      ["shortest run not known · worst case not known", "promptpack.draw"],
      ["Simulate", "promptpack.simulate"],
    ]);
    const position = { line: 15, character: 10 };
    const hover = await server.ask<{ contents: { value: string } }>("textDocument/hover", { position });
    expect(hover.contents.value).toMatch(/^\*\*unknown-entry\*\* /u);
    expect(await server.ask<string>("promptpack/drawing")).toMatch(
      /^<!doctype html>\n<html lang="en">\n<head>\n/u,
    );
  });

  it("finds the places in the page that it changes", async () => {
    const server = await Server.start();
    await server.initialize(["promptpack.draw"]);
    await server.open("a.pack.yaml", yamlPack);
    const page = await server.ask<string>("promptpack/drawing");
    const places = ['<html lang="en">', "<head>", '<button type="button" id="theme"'];
    const code = read("extension/extension.js");
    for (const place of places)
      expect({ place, inPage: page.split(place).length - 1 }).toEqual({ place, inPage: 1 });
    for (const place of places) expect(code).toContain(place);
  });
});

function hasUnzip(): boolean {
  return spawnSync("unzip", ["-v"], { stdio: "ignore" }).status === 0;
}

/** The server in the extension, in a folder without any file. */
class Server {
  private uri = "";

  private constructor(
    private readonly connection: ProtocolConnection,
    private readonly cwd: string,
  ) {
    connection.listen();
  }

  static async start(): Promise<Server> {
    const cwd = mkdtempSync(join(folder, "empty-"));
    mkdirSync(join(cwd, "home"));
    const program = join(unpacked, "extension", "server", "bin", "promptpack.js");
    const child = spawn(process.execPath, [program, "lsp"], {
      cwd,
      env: { HOME: join(cwd, "home"), PROMPTPACK_NO_CACHE: "1" },
      stdio: ["pipe", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill());
    const reader = new StreamMessageReader(child.stdout);
    return new Server(createProtocolConnection(reader, new StreamMessageWriter(child.stdin)), cwd);
  }

  async initialize(commands: readonly string[]): Promise<{ capabilities: object }> {
    const params = {
      processId: null,
      rootUri: pathToFileURL(this.cwd).href,
      capabilities: {},
      initializationOptions: { commands },
    };
    const result = await this.connection.sendRequest<{ capabilities: object }>("initialize", params);
    await this.connection.sendNotification("initialized", {});
    return result;
  }

  async open(name: string, text: string): Promise<Diagnostic[]> {
    this.uri = pathToFileURL(join(this.cwd, name)).href;
    const published = new Promise<Diagnostic[]>((resolve) => {
      this.connection.onNotification(PublishDiagnosticsNotification.type, ({ diagnostics }) =>
        resolve(diagnostics),
      );
    });
    const textDocument = { uri: this.uri, languageId: "yaml", version: 1, text };
    await this.connection.sendNotification("textDocument/didOpen", { textDocument });
    return published;
  }

  ask<Answer>(method: string, more: object = {}): Promise<Answer> {
    return this.connection.sendRequest(method, { textDocument: { uri: this.uri }, ...more });
  }
}
