import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import process from "node:process";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  createProtocolConnection,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
  type PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver-protocol/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { OpenFile } from "../../src/cli/editor/open-files.js";
import { folderOf } from "../cli/harness.js";
import { badEntry, clean } from "../cli/packs.js";
import { Editor } from "./editor.js";
import { few, isFull } from "../runs.js";

const patience = { timeout: 60_000, interval: 20 };

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

function startServer(...flags: string[]): Child {
  const child = spawn(process.execPath, [resolve("bin/promptpack.js"), "lsp", ...flags], {
    cwd: folderOf({}),
    stdio: ["pipe", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  // The server may end before it has read everything.
  child.stdin.on("error", () => undefined);
  return child;
}

/** The exit code of a server, and everything that it wrote to standard error. */
async function endOf(child: Child): Promise<{ code: number | null; stderr: string }> {
  const errors: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stderr: Buffer.concat(errors).toString() };
}

function framed(message: object): string {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

const initialize = { processId: null, rootUri: null, capabilities: {} };

/** An editor that starts the built program, and refuses to watch files. */
class Client {
  readonly published: PublishDiagnosticsParams[] = [];
  private readonly folder = folderOf({});
  private version = 1;

  private constructor(private readonly connection: ProtocolConnection) {
    connection.onNotification(PublishDiagnosticsNotification.type, (params) => {
      this.published.push(params);
    });
    connection.listen();
  }

  static async start(...flags: string[]): Promise<Client> {
    const { stdin, stdout } = startServer(...flags);
    const client = new Client(
      createProtocolConnection(new StreamMessageReader(stdout), new StreamMessageWriter(stdin)),
    );
    const capabilities = { workspace: { didChangeWatchedFiles: { dynamicRegistration: true } } };
    await client.connection.sendRequest("initialize", { ...initialize, capabilities });
    await client.connection.sendNotification("initialized", {});
    return client;
  }

  uri(name: string): string {
    return pathToFileURL(join(this.folder, name)).href;
  }

  async open(name: string, text: string): Promise<void> {
    const textDocument = { uri: this.uri(name), languageId: "json", version: 1, text };
    await this.connection.sendNotification("textDocument/didOpen", { textDocument });
  }

  /** Types a letter into the first name of a pack. */
  async type(name: string): Promise<void> {
    const textDocument = { uri: this.uri(name), version: ++this.version };
    const place = { line: 1, character: 9 };
    const contentChanges = [{ range: { start: place, end: place }, text: "x" }];
    await this.connection.sendNotification("textDocument/didChange", { textDocument, contentChanges });
  }

  async close(name: string): Promise<void> {
    await this.connection.sendNotification("textDocument/didClose", {
      textDocument: { uri: this.uri(name) },
    });
  }

  /** Waits until everything that was sent is handled. */
  async settle(): Promise<void> {
    await this.connection.sendRequest("promptpack/unknown", {}).catch(() => undefined);
  }

  async hasPublished(count: number): Promise<void> {
    await vi.waitFor(() => expect(this.published.length).toBeGreaterThanOrEqual(count), patience);
  }
}

const names = Array.from({ length: 400 }, (_, index) => `${index}.pack.json`);

/** A valid pack of about as many bytes. */
function packOf(bytes: number): string {
  const prompt = { name: "Hello", version: "1.0.0", system_template: "Greet the user and ask what to do." };
  const pack = JSON.parse(clean) as { prompts: Record<string, object> };
  for (let index = 0; index < bytes / 160; index++)
    pack.prompts[`more_${index}`] = { id: `more_${index}`, ...prompt };
  return JSON.stringify(pack, null, 2);
}

describe("many files", () => {
  it.runIf(isFull)("are linted once each, and not again when others are closed", async () => {
    const client = await Client.start();
    for (const name of names) await client.open(name, badEntry);
    await client.hasPublished(names.length);
    client.published.length = 0;
    for (const name of names) await client.close(name);
    await client.settle();
    await sleep(100);
    expect(client.published).toEqual(names.map((name) => ({ uri: client.uri(name), diagnostics: [] })));
  });

  it.runIf(isFull)("are hardly linted if they are closed at once", async () => {
    const client = await Client.start();
    await Promise.all([
      ...names.map((name) => client.open(name, badEntry)),
      ...names.map((name) => client.close(name)),
    ]);
    await client.settle();
    await sleep(100);
    const linted = client.published.filter(({ version }) => version !== undefined);
    expect(client.published.length - linted.length).toBe(names.length);
    expect(linted.length).toBeLessThan(names.length / 4);
  });

  it("are all closed before the server exits", async () => {
    const child = startServer();
    child.stdout.resume();
    const about = (uri: string) => ({ uri, languageId: "json", version: 1, text: badEntry });
    const messages = names.flatMap((name) => {
      const textDocument = about(pathToFileURL(name).href);
      return [
        { method: "textDocument/didOpen", params: { textDocument } },
        { method: "textDocument/didClose", params: { textDocument } },
      ];
    });
    const last = [{ id: 2, method: "shutdown" }, { method: "exit" }];
    child.stdin.end(
      [{ id: 1, method: "initialize", params: initialize }, ...messages, ...last].map(framed).join(""),
    );
    expect(await endOf(child)).toEqual({ code: 0, stderr: "" });
  });
});

describe("a document of 5 MB", () => {
  it.runIf(isFull)("is edited in place", async () => {
    const text = packOf(5_000_000);
    const client = await Client.start("--max-size", "1MB");
    await client.open("a.pack.json", text);
    await client.hasPublished(1);
    const timeOf = async (work: () => Promise<void> | void) => {
      const start = performance.now();
      await work();
      return performance.now() - start;
    };
    const count = 10;
    const edits: number[] = [];
    const rebuilds: number[] = [];
    for (let round = 0; round < 3; round++) {
      edits.push(
        await timeOf(async () => {
          for (let edit = 0; edit < count; edit++) await client.type("a.pack.json");
          await client.settle();
        }),
      );
      await client.hasPublished(edits.length + 1);
      rebuilds.push(
        await timeOf(() => {
          for (let edit = 0; edit < count; edit++) TextDocument.create("", "", 1, text).positionAt(0);
        }),
      );
    }
    expect(Math.min(...edits)).toBeLessThan(Math.min(...rebuilds) / 2);
  });
});

describe("the pause after a key", () => {
  /** An editor with an open pack whose linting took this long, and the pauses that its server makes from then on. */
  async function editorAfter(milliseconds: number) {
    // The clock stops, so that linting takes the time that we say.
    vi.useFakeTimers({ toFake: ["hrtime"] });
    onTestFinished(() => void vi.useRealTimers());
    const editor = await Editor.in(folderOf({}));
    const isLintable = vi.spyOn(OpenFile.prototype, "isLintable");
    const setTimer = vi.spyOn(globalThis, "setTimeout");
    onTestFinished(() => void vi.restoreAllMocks());
    isLintable.mockImplementationOnce(function (this: OpenFile) {
      vi.advanceTimersByTime(milliseconds);
      return this.isLintable();
    });
    await editor.open("a.pack.json", clean);
    await editor.next();
    setTimer.mockClear();
    // The protocol has a timer of its own, of ten seconds.
    const pauses = () =>
      setTimer.mock.calls.flatMap(([, delay = 0]) => (delay > 0 && delay !== 10_000 ? delay : []));
    return { editor, pauses };
  }
  const key = { range: { start: { line: 1, character: 9 }, end: { line: 1, character: 9 } }, text: "x" };

  it.each([
    [3, 3],
    [80, 80],
    [9_000, 500],
  ])("is as long as linting, but at most half a second: %i and %i ms", async (took, pause) => {
    const { editor, pauses } = await editorAfter(took);
    await editor.change("a.pack.json", key);
    expect(await editor.next()).toMatchObject({ version: 2 });
    expect(pauses()).toEqual([pause]);
  });

  it("begins anew with each key, so that only the last one is answered", async () => {
    const { editor, pauses } = await editorAfter(500);
    for (let count = 0; count < 5; count++) await editor.change("a.pack.json", key);
    expect(await editor.next()).toMatchObject({ version: 6 });
    expect(pauses()).toEqual([500, 500, 500, 500, 500]);
  });
});

describe("a bad message", () => {
  const line =
    "promptpack: The editor sent a message that cannot be read: send a header with Content-Length, an empty line and JSON.\n";

  const badMessages: [string, string][] = [
    ["a length that is no number", "Content-Length: many\r\n\r\n{}"],
    ["a negative length", "Content-Length: -5\r\n\r\n{}"],
    ["no characters", "Content-Length: 0\r\n\r\n"],
    ["more characters than fit into memory", "Content-Length: 99999999999\r\n\r\n{}"],
    ["no length", "Content-Type: text\r\n\r\n{}"],
    ["no header", "Hello\r\n\r\n"],
    ["line breaks without CR", "Content-Length: 2\n\n{}"],
    ["a header without end", "y\n".repeat(100_000)],
    ["no JSON", "Content-Length: 5\r\n\r\nhello"],
    ["a cancellation of nothing", framed({ method: "$/cancelRequest" })],
  ];
  it.each(few(badMessages))("with %s ends the server with one line", async (_, text) => {
    const child = startServer();
    child.stdin.write(framed({ id: 1, method: "initialize", params: initialize }) + text);
    const [answer] = (await once(child.stdout, "data")) as [Buffer];
    expect(answer.toString()).toContain("Content-Length");
    expect(await endOf(child)).toEqual({ code: 1, stderr: line });
  });

  it("is none if its header arrives byte by byte, in other letters, with a type", async () => {
    const editor = startServer();
    let answers = "";
    editor.stdout.on("data", (chunk: Buffer) => (answers += chunk.toString()));
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "shutdown" });
    const type = "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n";
    const headers = [`${type}content-length:${body.length}\r\n`, `Content-Length: ${body.length}\r\n${type}`];
    for (const [index, header] of headers.entries()) {
      for (const byte of `${header}\r\n`) {
        editor.stdin.write(byte);
        await sleep(0);
      }
      editor.stdin.write(body);
      await vi.waitFor(() => expect(answers.match(/"id":1/g)).toHaveLength(index + 1), patience);
    }
  });
});

describe("an editor that is gone", () => {
  const gone = { code: 1, stderr: "promptpack: The editor is gone.\n" };

  const lastMessages: [string, string][] = [
    ["without a word", ""],
    ["in the middle of a header", "Content-Le"],
    ["in the middle of a message", 'Content-Length: 500\r\n\r\n{"jsonrpc"'],
    ["with an exit, but no shutdown", framed({ method: "exit" })],
  ];
  it.each(few(lastMessages, 1))("%s ends the server with one line", async (_, lastWords) => {
    const child = startServer();
    child.stdin.end(lastWords);
    expect(await endOf(child)).toEqual(gone);
  });

  it("ends the server with one line when it no longer reads", async () => {
    const child = startServer();
    child.stdout.destroy();
    child.stdin.write(framed({ id: 1, method: "initialize", params: initialize }));
    expect(await endOf(child)).toEqual(gone);
  });
});

it("can be initialized after a failure", async () => {
  const editor = Editor.silentIn(folderOf({ "inner/.promptpackignore": "a.pack.json\n" }));
  await expect(editor.initialize({}, { map: () => "no list" } as never)).rejects.toMatchObject({
    code: -32603,
  });
  await editor.initialize({}, ["inner"]);
  await editor.open("inner/a.pack.json", badEntry);
  expect(await editor.findings()).toEqual([]);
  await expect(editor.initialize()).rejects.toMatchObject({ code: -32600 });
});
