import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import process from "node:process";
import { compileFunction } from "node:vm";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { folderOf } from "../cli/harness.js";
import { yamlPack } from "../cli/packs.js";
import { isFull } from "../runs.js";

/** What VS Code runs for a task, without a shell. */
class ProcessExecution {
  constructor(
    readonly process: string,
    readonly args: readonly string[],
    readonly options: { readonly env: Readonly<Record<string, string>> },
  ) {}
}

class Task {
  constructor(
    readonly definition: object,
    readonly scope: unknown,
    readonly name: string,
    readonly source: string,
    readonly execution: ProcessExecution,
  ) {}
}

interface Document {
  readonly isDirty: boolean;
  readonly uri: { readonly fsPath: string };
}

/** Without the types of VS Code, which only the extension installs. */
interface Extension {
  readonly simulate: (document: Document, program: object) => Promise<void>;
  readonly Drawings: new (request: () => Promise<null>) => { draw: (document: Document) => Promise<void> };
}

/** VS Code, as far as the extension asks for it, which only remembers what it should run and show. */
class Desk {
  readonly tasks: Task[] = [];
  readonly shown: string[] = [];

  /** A file of the extension. */
  async load(name: string): Promise<Extension> {
    const { outputFiles } = await build({
      entryPoints: [`editors/vscode/src/${name}.ts`],
      bundle: true,
      platform: "node",
      format: "cjs",
      external: ["vscode"],
      write: false,
    });
    const module = { exports: {} };
    const listen = () => ({ dispose: () => undefined });
    const show = (message: string) => void this.shown.push(message);
    const vscode = {
      ProcessExecution,
      Task,
      TaskPanelKind: {},
      TaskRevealKind: {},
      TaskScope: {},
      languages: { onDidChangeDiagnostics: listen },
      tasks: { taskExecutions: [], executeTask: (task: Task) => void this.tasks.push(task) },
      window: { showErrorMessage: show, showInformationMessage: show, onDidChangeActiveColorTheme: listen },
      workspace: {
        asRelativePath: ({ fsPath }: { readonly fsPath: string }) => basename(fsPath),
        getWorkspaceFolder: () => undefined,
        onDidChangeTextDocument: listen,
      },
    };
    compileFunction(outputFiles[0]?.text ?? "", ["module", "require"])(module, () => vscode);
    return module.exports as Extension;
  }
}

const documentAt = (fsPath: string): Document => ({ isDirty: false, uri: { fsPath } });
const program = { command: process.execPath, args: [resolve("bin/promptpack.js")], env: {} };

describe.runIf(process.platform !== "win32")("a file with a hostile name", () => {
  const names = [
    `'; touch ran; '.pack.yaml`,
    `"; touch ran; ".pack.yaml`,
    '"$(touch ran)".pack.yaml',
    "`touch ran`.pack.yaml",
    "a & touch ran | b > ran; c.pack.yaml",
    "a\ntouch ran\n.pack.yaml",
    "$PATH ~ * %PATH% \\ ^.pack.yaml",
    "--help.pack.yaml",
    "$ {command:promptpack.draw}.pack.yaml",
  ];

  it.each(isFull ? names : names.slice(0, 3))("runs nothing when it is simulated: %j", async (name) => {
    const cwd = folderOf({ [name]: yamlPack.replace("helo", "hello") });
    const desk = new Desk();
    const extension = await desk.load("simulate");
    await extension.simulate(documentAt(join(cwd, name)), program);
    expect(desk.shown).toEqual([]);
    const [{ execution } = expect.unreachable()] = desk.tasks;
    expect(execution).toBeInstanceOf(ProcessExecution);
    const { stdout, stderr } = spawnSync(execution.process, execution.args, {
      cwd,
      env: { ...process.env, ...execution.options.env },
      input: "quit\n",
      encoding: "utf8",
    });
    expect({ start: stdout.split("\n")[1], stderr }).toEqual({
      start: "hello  visit 1 · 1 visit in all",
      stderr: "",
    });
    expect(readdirSync(cwd)).toEqual([".git", name].sort());
  });

  it.each([
    "${command:workbench.action.quit}.pack.yaml",
    "a ${env:HOME}.pack.yaml",
    "${input:x}/a.pack.yaml",
    "$${command:x}.pack.yaml",
  ])("is not given to a task of VS Code, which would replace a variable in it: %s", async (name) => {
    const file = join(folderOf({}), name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, yamlPack);
    const desk = new Desk();
    const extension = await desk.load("simulate");
    await extension.simulate(documentAt(file), program);
    expect(desk.tasks).toEqual([]);
    expect(desk.shown).toEqual([
      'VS Code takes "${" in a path for a variable: rename the file or its folder to simulate it.',
    ]);
  });

  it("makes no link to a command of the notification that it cannot be drawn", async () => {
    const desk = new Desk();
    const extension = await desk.load("drawings");
    const drawings = new extension.Drawings(() => Promise.resolve(null));
    await drawings.draw(documentAt("/[Click](command:workbench.action.quit).pack.yaml"));
    expect(desk.shown).toEqual(["There is no workflow to draw in this file."]);
  });
});
