import { Command, CommanderError, Option } from "commander";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { didYouMean } from "../text/names.js";
import { alignColumns } from "../text/terminal-text.js";
import { BadInput, capitalize } from "../text/wording.js";
import { toolInfo } from "../text/tool-info.js";
import { type CommandInfo, commands, type Texts } from "./commands/index.js";
import { requireFormat } from "./config/flags.js";
import { type Io, printMessage, UsageError, withLogCommandsEscaped } from "./terminal/io.js";

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
    .hook("preAction", (_, command) => {
      refuseEmptyValues(command);
      requireFormat(command.name(), command.getOptionValue("format"));
    });
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

function declareCommand(command: Command, info: CommandInfo): Command {
  const { summary, description, args = {}, options = {}, examples } = info;
  command.summary(summary).description(description);
  for (const [name, text] of Object.entries(args)) command.argument(name, text);
  for (const [flags, option] of Object.entries(options))
    command.addOption(typeof option === "string" ? new Option(flags, option) : option(flags));
  return addExamples(command, examples);
}

const helpWidth = 80;

function addExamples(command: Command, examples: Texts): Command {
  const all = Object.entries(examples);
  const rows = alignColumns(all.map(([line, meaning]) => [`  ${line}`, `# ${meaning}`]));
  const fits = rows.every((row) => row.length <= helpWidth);
  const stacked = all.map(([line, meaning]) => `  # ${meaning}\n  ${line}`);
  return command.addHelpText("after", `\nExamples:\n${(fits ? rows : stacked).join("\n")}`);
}

function describeUsage(program: Command, io: Io, { code, message }: CommanderError): string {
  const typed = io.args.find((arg) => !arg.startsWith("-"));
  const command = program.commands.find((each) => each.name() === typed);
  const name = /'(.*)'/su.exec(message)?.[1] ?? "";
  if (code === "commander.unknownOption") return describeUnknownOption(name, command ?? program);
  if (code === "commander.unknownCommand")
    return `Unknown command "${name}".${suggestCommand(program, io, name)}`;
  const sentence = message.replace(/^error: |\.$/gu, "").replace(/'([^']*)'/gu, '"$1"');
  return `${capitalize(sentence)}. See "promptpack ${command?.name() ?? ""} --help".`;
}

function describeUnknownOption(written: string, command: Command): string {
  const options = command.createHelp().visibleOptions(command);
  const known = options.flatMap(({ long, short }) => [long ?? [], short ?? []].flat());
  const [name = ""] = written.split("=");
  const [advice, needed = ""] = equivalents.get(name) ?? [];
  const hasNeeded = options.some(({ flags }) => flags.includes(needed));
  return name !== written && known.includes(name)
    ? `The option "${name}" takes no value.`
    : `Unknown option "${written}".${advice && hasNeeded ? ` Use ${advice}.` : didYouMean(name, known)}`;
}

/** Commands and flags of other tools: what does the same here, and a part of the flag that the command must have. */
const equivalents = new Map<string, readonly [advice: string, needed?: string]>([
  ["check", ['"promptpack lint"']],
  ["fix", ['"promptpack lint --fix"']],
  ["version", ['"promptpack --version"']],
  ["draw", ['"promptpack graph"']],
  ["list-rules", ['"promptpack rules"']],
  ["rule", ['"promptpack explain <rule>"']],
  ["--json", ['"--format json"', "--format"]],
  ["-o", ['"--format <name>=<file>"', "[=file]"]],
  ["--output", ['"--format <name>=<file>"', "[=file]"]],
  ["--select", ['"--only <rule>"', "--only"]],
  ["--ignore", ['"--rule <id>:off" for a rule, and the file ".promptpackignore" for files', "--rule"]],
  ["--exclude", ['the file ".promptpackignore" for files, and "--rule <id>:off" for a rule', "--rule"]],
  ["--diff", ['"--fix-dry-run"', "--fix-dry-run"]],
  ["--verbose", ['"--full"', "--full"]],
  ["--stdin", ['the path "-", and "--stdin-filename <path>" to name it', "--stdin-filename"]],
  ["--fix-unsafe", ['"--fix --unsafe-fixes"', "--unsafe-fixes"]],
]);

function suggestCommand(program: Command, io: Io, name: string): string {
  const [advice] = equivalents.get(name) ?? [];
  if (advice !== undefined) return ` Use ${advice}.`;
  const names = program.commands.map((command) => command.name());
  const isFile = existsSync(resolve(io.cwd, name));
  const hint = isFile ? ` To lint a file: promptpack lint ${name}` : ' See "promptpack --help".';
  return didYouMean(name, names) || hint;
}
