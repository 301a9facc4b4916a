import { type Command, type CommanderError, Option } from "commander";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { didYouMean } from "../../text/names.js";
import { alignColumns } from "../../text/terminal-text.js";
import { capitalize } from "../../text/wording.js";
import type { Io } from "../terminal/io.js";
import type { CommandInfo, Texts } from "./index.js";

export function declareCommand(command: Command, info: CommandInfo): Command {
  const { summary, description, args = {}, options = {}, examples } = info;
  command.summary(summary).description(description);
  for (const [name, text] of Object.entries(args)) command.argument(name, text);
  for (const [flags, option] of Object.entries(options))
    command.addOption(typeof option === "string" ? new Option(flags, option) : option(flags));
  return addExamples(command, examples);
}

const helpWidth = 80;

export function addExamples(command: Command, examples: Texts): Command {
  const all = Object.entries(examples);
  const rows = alignColumns(all.map(([line, meaning]) => [`  ${line}`, `# ${meaning}`]));
  const fits = rows.every((row) => row.length <= helpWidth);
  const stacked = all.map(([line, meaning]) => `  # ${meaning}\n  ${line}`);
  return command.addHelpText("after", `\nExamples:\n${(fits ? rows : stacked).join("\n")}`);
}

/** What is wrong with the command line, with the nearest valid name or where to look. */
export function describeUsage(program: Command, io: Io, { code, message }: CommanderError): string {
  const command = findCommand(program, io.args);
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

function findCommand(program: Command, args: readonly string[]): Command | undefined {
  const name = args.find((arg) => !arg.startsWith("-"));
  return program.commands.find((command) => command.name() === name);
}

function suggestCommand(program: Command, io: Io, name: string): string {
  const [advice] = equivalents.get(name) ?? [];
  if (advice !== undefined) return ` Use ${advice}.`;
  const names = program.commands.map((command) => command.name());
  const isFile = existsSync(resolve(io.cwd, name));
  const hint = isFile ? ` To lint a file: promptpack lint ${name}` : ' See "promptpack --help".';
  return didYouMean(name, names) || hint;
}
