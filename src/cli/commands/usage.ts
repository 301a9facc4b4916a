import type { Command, CommanderError } from "commander";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { didYouMean } from "../../text/names.js";
import { capitalize, listNames } from "../../text/wording.js";
import type { Io } from "../terminal/io.js";

/** Declares the flags and the help of a command, and loads its work when it runs. */
export type DefineCommand = (command: Command, io: Io, finish: (code: number) => void) => void;

const helpWidth = 80;

/** Ends the help of a command with command lines and what each does. */
export function addExamples(
  command: Command,
  examples: readonly (readonly [line: string, meaning: string])[],
): Command {
  const width = Math.max(...examples.map(([line]) => line.length));
  const rows = examples.map(([line, meaning]) => `  ${line.padEnd(width)}  # ${meaning}`);
  const fits = rows.every((row) => row.length <= helpWidth);
  const stacked = examples.map(([line, meaning]) => `  # ${meaning}\n  ${line}`);
  return command.addHelpText("after", `\nExamples:\n${(fits ? rows : stacked).join("\n")}`);
}

/** One sentence about an invalid command line, with the nearest valid name. */
export function describeUsage(program: Command, io: Io, error: CommanderError): string {
  const name = /'(.*)'/su.exec(error.message)?.[1] ?? "";
  switch (error.code) {
    case "commander.unknownOption":
      return describeUnknownOption(name, findCommand(program, io.args) ?? program);
    case "commander.unknownCommand":
      return `Unknown command "${name}".${suggestCommand(program, io, name)}`;
    case "commander.missingArgument":
      return `The argument <${name}> is missing. ${helpHint(program, io)}`;
    case "commander.missingMandatoryOptionValue":
      return `The option "${name}" is missing. ${helpHint(program, io)}`;
    case "commander.optionMissingArgument":
      return `The option "${name}" needs a value.`;
    case "commander.excessArguments":
      return describeExcessArguments(findCommand(program, io.args) ?? program);
    default:
      return capitalize(error.message.replace(/^error: /u, "").replace(/\n/gu, " "));
  }
}

function describeUnknownOption(written: string, command: Command): string {
  const options = command.createHelp().visibleOptions(command);
  const known = options.flatMap(({ long, short }) => [long ?? [], short ?? []].flat());
  const [name = ""] = written.split("=");
  return name !== written && known.includes(name)
    ? `The option "${name}" takes no value.`
    : `Unknown option "${written}".${didYouMean(name, known)}`;
}

function describeExcessArguments(command: Command): string {
  const { args, registeredArguments } = command;
  const [argument] = registeredArguments;
  const takes = argument === undefined ? "no argument" : `one <${argument.name()}>`;
  return excessArgumentsMessage(args.slice(registeredArguments.length), command.name(), takes);
}

export function excessArgumentsMessage(excess: readonly string[], command: string, takes: string): string {
  return `"${command}" takes ${takes}: leave out ${listNames(excess, 4)}.`;
}

function helpHint(program: Command, io: Io): string {
  return `See "promptpack ${findCommand(program, io.args)?.name() ?? ""} --help".`;
}

function findCommand(program: Command, args: readonly string[]): Command | undefined {
  const name = args.find((arg) => !arg.startsWith("-"));
  return program.commands.find((command) => command.name() === name);
}

function suggestCommand(program: Command, io: Io, name: string): string {
  const names = program.commands.map((command) => command.name());
  const isFile = existsSync(resolve(io.cwd, name));
  const hint = isFile ? ` To lint a file: promptpack lint ${name}` : ' See "promptpack --help".';
  return didYouMean(name, names) || hint;
}
