import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { createContext, runInContext } from "node:vm";
import ts from "typescript";
import * as library from "../../src/index.js";
import { folderOf, promptpack } from "../cli/harness.js";
import { oddEvent } from "../cli/packs.js";
import { filesBelow } from "../cli/projects.js";
import { gitEnv, Repository } from "../cli/repository.js";
import { type FencedBlock, fencedBlocks } from "./fenced-blocks.js";

/** What a page is today: with the output that its commands really print. */
export interface Session {
  readonly page: string;
  /** Commands whose output the page does not show, although they say something or fail. */
  readonly troubles: readonly string[];
}

/** A block is a file if its first line names it, in a comment. Files of other tools are not for the folder of a pack. */
const fileName = /^# (\w[\w./-]*\.ya?ml)\n/;
const fileOf = ({ body, file }: FencedBlock): string | undefined => file ?? fileName.exec(body)?.[1];
export const isFile = (block: FencedBlock): boolean => fileOf(block) !== undefined;

/** What installs the program, or changes the shell itself, is checked elsewhere. */
export const isRun = ({ language, body }: FencedBlock): boolean =>
  language === "sh" && !/^(?:npm|eval) /.test(body);

/**
 * Runs a page from top to bottom, in a repository of its own that begins with the examples which the page links to: writes its
 * files, and runs each line of its `sh` blocks, and its `ts` blocks. A `text` block is what the block before it prints, or
 * a command in a comment above it, run in this repository.
 */
export async function playPage(path: string): Promise<Session> {
  const text = readFileSync(path, "utf8");
  const blocks = fencedBlocks(text);
  const examples = examplesOf(text);
  const hasPack = Object.keys(examples).length > 0 || blocks.some(isFile);
  // A page without a pack of its own is about any pack.
  const repository = new Repository(hasPack ? examples : { "a.pack.json": oddEvent });
  const { cwd } = repository;
  const pieces: string[] = [];
  const troubles: string[] = [];
  let end = 0;
  let printed: string | undefined;
  for (const [index, block] of blocks.entries()) {
    const name = fileOf(block);
    if (name !== undefined) {
      repository.write({ [name]: block.body });
      repository.commit(name);
    }
    if (block.language === "text") {
      const [, command] = /<!-- output: (.+) -->\n+```text\n$/.exec(text.slice(0, block.start)) ?? [];
      if (command !== undefined)
        printed = (await promptpack(wordsOf(command), { cwd: process.cwd() })).stdout;
      if (printed === undefined) troubles.push(`line ${block.line}: no command prints this`);
      pieces.push(text.slice(end, block.start), printed ?? block.body);
      end = block.start + block.body.length;
      printed = undefined;
    }
    if (block.language === "ts") printed = runCode(block.body, cwd);
    if (!isRun(block)) continue;
    const isShown = blocks[index + 1]?.language === "text";
    const said = await runLines(block.body, cwd);
    if (isShown) printed = said.map(({ output }) => output).join("");
    else troubles.push(...said.flatMap(({ trouble }) => trouble ?? []));
  }
  return { page: pieces.join("") + text.slice(end), troubles };
}

/** The examples that a page links to lie in its folder. A link to the head of a project stands for all its files. */
function examplesOf(text: string): Record<string, string> {
  const links = text.matchAll(/\]\(\.\.\/(examples\/(?:[\w-]+\/)?)([\w.-]+)\)/g);
  const files = [...links].flatMap(([, folder = "", name = ""]) => {
    if (folder !== "examples/") return Object.entries(filesBelow(folder));
    return [[name, readFileSync(join(folder, name), "utf8")] as const];
  });
  return Object.fromEntries(files);
}

interface Said {
  readonly output: string;
  readonly trouble?: string;
}

/** Runs the lines of a block in their order. What is not the program itself runs in bash. */
async function runLines(body: string, cwd: string): Promise<Said[]> {
  const said: Said[] = [];
  let status = 0;
  for (const line of body.trimEnd().split("\n")) {
    const [, command, input, operator, file = ""] =
      /^promptpack (.*?)(?: < (\S+))?(?: (>>?) (\S+))?$/.exec(line) ?? [];
    if (command === undefined) {
      // With a socket as its standard input, bash would read ~/.bashrc.
      const ran = spawnSync("bash", ["--norc", "-c", `(exit ${status}); ${line}`], {
        cwd,
        env: gitEnv,
        encoding: "utf8",
      });
      said.push({ output: ran.stdout + ran.stderr, ...troubleOf(line, ran.status ?? 1, ran.stderr) });
      continue;
    }
    // --watch ends at once.
    const signal = AbortSignal.abort();
    const { code, stdout, stderr } = await promptpack(wordsOf(command), {
      cwd,
      env: gitEnv,
      signal,
      cache: folderOf({}),
      ...(input !== undefined && { stdin: readFileSync(join(cwd, input), "utf8") }),
    });
    status = code;
    if (operator !== undefined)
      writeFileSync(join(cwd, file), stdout, { flag: operator === ">" ? "w" : "a" });
    said.push({
      output: (operator === undefined ? stdout : "") + stderr,
      ...troubleOf(line, code, stderr),
    });
  }
  return said;
}

function troubleOf(line: string, code: number, stderr: string): { readonly trouble?: string } {
  return code === 0 && stderr === "" ? {} : { trouble: `${line}: exit code ${code}\n${stderr}` };
}

/** The arguments of a command, of which some may be quoted. A comment is left out. */
function wordsOf(command: string): readonly string[] {
  const words = command.replace(/ +# .*$/, "").matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g);
  return [...words].map(([, double, single, plain]) => double ?? single ?? plain ?? "");
}

const host: ts.FormatDiagnosticsHost = {
  getCurrentDirectory: () => "",
  getCanonicalFileName: (name) => name,
  getNewLine: () => "\n",
};

/** Runs a program that imports the library and reads files of the folder; returns what it prints. */
function runCode(body: string, cwd: string): string {
  const { outputText, diagnostics = [] } = ts.transpileModule(body, {
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS },
  });
  if (diagnostics.length > 0) throw new Error(ts.formatDiagnostics(diagnostics, host));
  const printed: string[] = [];
  const modules: Readonly<Record<string, unknown>> = {
    promptpack: library,
    "node:fs": { readFileSync: (name: string) => readFileSync(join(cwd, name), "utf8") },
  };
  runInContext(
    outputText,
    createContext({
      exports: {},
      require: (name: string) => modules[name],
      console: { log: (line: string) => printed.push(`${line}\n`) },
      process,
    }),
  );
  return printed.join("");
}
