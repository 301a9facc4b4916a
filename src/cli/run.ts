import { Command, CommanderError } from "commander";
import { BadInput } from "../text/wording.js";
import { toolInfo } from "../text/tool-info.js";
import { commands } from "./commands/index.js";
import { addExamples, declareCommand, describeUsage } from "./commands/usage.js";
import { type Io, withLogCommandsEscaped } from "./terminal/io.js";
import { printMessage, UsageError } from "./terminal/messages.js";

export async function run(outside: Io): Promise<number> {
  const io = withLogCommandsEscaped(outside);
  let code = 0;
  const program = buildProgram(io, (result) => (code = result));
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
    // All of them have options, and there is too little room to say so.
    .configureHelp({
      subcommandTerm: (command) => `${command.name()} ${command.usage().replace("[options]", "").trim()}`,
    })
    .hook("preAction", (_, command) => refuseEmptyValues(command));
  addExamples(program, {
    "promptpack lint": "the packs below this folder",
    "promptpack lint support.pack.yaml": "one pack",
    "promptpack explain unbounded-loop": "what a rule requires, and why",
  });
  // Declaring a command takes time: only help, completion and suggestions need all of them.
  const [name = ""] = io.args;
  const only = name === "completion" ? undefined : commands.get(name);
  for (const [each, info] of only ? [[name, only] as const] : commands) {
    declareCommand(program.command(each), info).action(async (...args) => {
      const work = await info.load();
      // commander passes exactly what the command declares.
      finish(await work(io, ...(args as never[])));
    });
  }
  return program;
}

/** Other values are checked where they are read, with a message of their own. */
const freeFormValue = /<(?:event|file|folder|id|member|pack|path|ref|text|tool)>$/;

/** In a script, an unset variable leaves a value empty, and an empty path would be the working folder. */
function refuseEmptyValues(command: Command): void {
  for (const option of command.options) {
    const value: unknown = command.getOptionValue(option.attributeName());
    if (value === "" && freeFormValue.test(option.flags))
      throw new UsageError(`"${option.long ?? option.flags}" must not be empty.`);
  }
}

/** For `help lnt` and `lnt --help`, commander would print the general help; and `help` would ignore a second name. */
function normalizeArgs(args: readonly string[]): string[] {
  const [first = "", second = ""] = args;
  const [, ...excess] = args.slice(1).filter((arg) => !arg.startsWith("-"));
  if (first === "help" && excess.length > 0)
    throw new UsageError('Too many arguments for "help": name one command.');
  const name = first === "help" ? second : first;
  return name === "" || name.startsWith("-") || commands.has(name) ? [...args] : [name];
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
  const sentence = `Internal error: ${detail.replace(/\.$/u, "")}.`;
  printMessage(io, `${sentence} Please report it, with the command you ran.`);
  return 2;
}
