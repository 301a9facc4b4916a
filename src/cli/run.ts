import { Command, CommanderError } from "commander";
import { BadInput } from "../text/wording.js";
import { toolInfo } from "../text/tool-info.js";
import {
  type DefineCommand,
  describeUsage,
  formatExamples,
  surplusArgumentsMessage,
} from "./commands/usage.js";
import { commands } from "./commands/index.js";
import { type Io, withLogCommandsEscaped } from "./terminal/io.js";
import { printMessage, UsageError } from "./terminal/messages.js";

/** The whole program: arguments in, exit code out. */
export async function run(outside: Io): Promise<number> {
  const io = withLogCommandsEscaped(outside);
  let code = 0;
  const program = buildProgram(io, (result) => {
    code = result;
  });
  try {
    await program.parseAsync(normalizeArgs(io.args), { from: "user" });
    return code;
  } catch (error) {
    return reportFailure(io, program, error);
  }
}

function buildProgram(io: Io, finish: (code: number) => void): Command {
  const program = new Command(toolInfo.name)
    .description("Validates and lints PromptPack files, and shows the run that goes wrong.")
    .version(toolInfo.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .showSuggestionAfterError(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: () => undefined,
      getOutHelpWidth: () => io.stdout.columns || 80,
      getErrHelpWidth: () => io.stderr.columns || 80,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .addHelpText(
      "after",
      formatExamples([
        ["promptpack lint", "the packs below this folder"],
        ["promptpack lint support.pack.yaml", "one pack"],
        ["promptpack explain unbounded-loop", "what a rule asks for, and why"],
      ]),
    )
    .hook("preAction", (_, command) => refuseEmptyValues(command));
  for (const [name, define] of commandsToDefine(io.args)) define(program.command(name), io, finish);
  return program;
}

/** Values that may be anything: what has a form or is one of a few is refused in words that say which. */
const freeFormValue = /<(?:event|file|folder|id|member|pack|path|ref|text|tool)>$/;

/** A script may fill in a variable that is not set: an empty path would be the working folder. */
function refuseEmptyValues(command: Command): void {
  for (const option of command.options) {
    const value: unknown = command.getOptionValue(option.attributeName());
    if (value === "" && freeFormValue.test(option.flags))
      throw new UsageError(`"${option.long ?? option.flags}" must not be empty.`);
  }
}

/** commander answers `help lnt` and `lnt --help` with the help of everything, has none for `help` itself, and heeds only one word after it. */
function normalizeArgs(args: readonly string[]): string[] {
  const [word = "", name = ""] = args;
  const [, ...more] = args.slice(1).filter((each) => !each.startsWith("-"));
  if (word === "help" && more.length > 0)
    throw new UsageError(surplusArgumentsMessage(more, word, "one <command>"));
  const asked = word === "help" ? name : word;
  if (asked === "" || asked.startsWith("-") || commands.has(asked)) return [...args];
  return [asked];
}

/** The command that is asked for; all of them for help, for completion and where it is misspelt. Each takes its time. */
function commandsToDefine([name = ""]: readonly string[]): Iterable<readonly [string, DefineCommand]> {
  const define = commands.get(name);
  return define === undefined || name === "completion" ? commands : [[name, define]];
}

function reportFailure(io: Io, program: Command, error: unknown): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    // A bare `promptpack` has printed its help already.
    if (error.code !== "commander.help") printMessage(io, describeUsage(program, io, error));
    return 2;
  }
  if (error instanceof BadInput) {
    for (const line of error.lines) printMessage(io, line);
    return 2;
  }
  const detail = error instanceof Error ? error.message : String(error);
  printMessage(
    io,
    `Internal error: ${detail.replace(/\.$/u, "")}. Please report it, with the command you ran.`,
  );
  return 2;
}
