import type { Command, CommanderError } from "commander";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { didYouMean } from "../../text/names.js";
import { capitalize, listNames } from "../../text/wording.js";
import type { Io } from "../terminal/io.js";

/** Says what a command takes and does: its words here, its work loaded when it runs. */
export type DefineCommand = (command: Command, io: Io, finish: (code: number) => void) => void;

const helpWidth = 80;

/** The examples at the end of a command's help: a command line and what it does, above it where there is no room. */
export function formatExamples(lines: readonly (readonly [command: string, meaning: string])[]): string {
  const width = Math.max(...lines.map(([command]) => command.length));
  const rows = lines.map(([command, meaning]) => `  ${command.padEnd(width)}  # ${meaning}`);
  const fits = rows.every((row) => row.length <= helpWidth);
  const stacked = lines.map(([command, meaning]) => `  # ${meaning}\n  ${command}`);
  return `\nExamples:\n${(fits ? rows : stacked).join("\n")}`;
}

/** Where no command is near. */
const seeHelpHint = ' See "promptpack --help".';

/** One sentence for a command line that cannot be understood, with the nearest name that can. */
export function describeUsage(program: Command, io: Io, error: CommanderError): string {
  const name = /'(.*)'/su.exec(error.message)?.[1] ?? "";
  switch (error.code) {
    case "commander.unknownOption":
      return unknownOption(name, optionNames(program, io.args));
    case "commander.unknownCommand":
      return `Unknown command "${name}".${suggestCommand(program, io, name)}`;
    case "commander.missingArgument":
      return `The argument <${name}> is missing. ${commandHelpHint(program, io)}`;
    case "commander.missingMandatoryOptionValue":
      return `The option "${name}" is missing. ${commandHelpHint(program, io)}`;
    case "commander.optionMissingArgument":
      return `The option "${name}" needs a value.`;
    case "commander.excessArguments":
      return tooManyArguments(findCommand(program, io.args) ?? program);
    default:
      return capitalize(error.message.replace(/^error: /u, "").replace(/\n/gu, " "));
  }
}

function unknownOption(written: string, known: readonly string[]): string {
  const [name = ""] = written.split("=");
  return name !== written && known.includes(name)
    ? `The option "${name}" takes no value.`
    : `Unknown option "${written}".${didYouMean(name, known)}`;
}

function tooManyArguments(command: Command): string {
  const { args, registeredArguments } = command;
  const [taken] = registeredArguments;
  const takes = taken === undefined ? "no argument" : `one <${taken.name()}>`;
  return surplusArgumentsMessage(args.slice(registeredArguments.length), command.name(), takes);
}

export function surplusArgumentsMessage(more: readonly string[], command: string, takes: string): string {
  return `"${command}" takes ${takes}: leave out ${listNames(more, 4)}.`;
}

function commandHelpHint(program: Command, io: Io): string {
  return `See "promptpack ${findCommand(program, io.args)?.name() ?? ""} --help".`;
}

function findCommand(program: Command, args: readonly string[]): Command | undefined {
  const name = args.find((arg) => !arg.startsWith("-"));
  return program.commands.find((command) => command.name() === name);
}

function optionNames(program: Command, args: readonly string[]): readonly string[] {
  const command = findCommand(program, args) ?? program;
  const help = command.createHelp();
  return help.visibleOptions(command).flatMap(({ long, short }) => [long ?? [], short ?? []].flat());
}

function suggestCommand(program: Command, io: Io, name: string): string {
  const near = didYouMean(
    name,
    program.commands.map((command) => command.name()),
  );
  if (near !== "") return near;
  return existsSync(resolve(io.cwd, name)) ? ` To lint a file: promptpack lint ${name}` : seeHelpHint;
}
