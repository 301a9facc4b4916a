import { fileKinds } from "../../document/file-format.js";
import type { Command, Option } from "commander";
import { levels } from "../../diagnostic.js";
import { drawingFormats } from "../../drawing/draw.js";
import { reporters } from "../../reporters/index.js";
import { rules } from "../../rules/index.js";
import { specVersions } from "../../text/tool-info.js";
import { presets } from "../config/config.js";
import { commandFormats } from "../config/flags.js";
import { schemaKinds } from "./print-schema.js";

export const shells = ["bash", "zsh", "fish"] as const;

/** The value of a flag or an argument. */
export type CompletionValue =
  | { readonly kind: "file" }
  | { readonly kind: "text" }
  | { readonly kind: "choice"; readonly choices: readonly string[] }
  /** `first:second` */
  | { readonly kind: "pair"; readonly first: readonly string[]; readonly second: readonly string[] };

export interface CompletionFlag {
  /** The short and the long name. */
  readonly names: readonly string[];
  readonly description: string;
  /** Absent if the flag takes no value. */
  readonly value: CompletionValue | undefined;
}

export interface CompletionCommand {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly CompletionFlag[];
  readonly argument: CompletionValue | undefined;
}

export interface CompletionProgram {
  /** The global flags. */
  readonly flags: readonly CompletionFlag[];
  readonly commands: readonly CompletionCommand[];
}

/** Every command with its flags and arguments, read from the program itself. */
export function describeProgram(program: Command): CompletionProgram {
  const help = program.createHelp();
  const commands = help.visibleCommands(program);
  const flagsOf = (command: Command) =>
    help.visibleOptions(command).map((option) => ({
      names: [option.short, option.long].flatMap((name) => name ?? []),
      description: option.description,
      value: option.required || option.optional ? flagValue(command, option) : undefined,
    }));
  return {
    flags: flagsOf(program),
    commands: commands.map((command) => ({
      name: command.name(),
      summary: command.summary() || command.description(),
      flags: flagsOf(command),
      argument: argumentValue(command, commands),
    })),
  };
}

const formats: Readonly<Record<string, readonly string[]>> = { graph: drawingFormats, ...commandFormats };

function flagValue(command: Command, option: Option): CompletionValue {
  const choice = (choices: readonly string[]): CompletionValue => ({ kind: "choice", choices });
  switch (option.long) {
    case "--format":
      return choice(formats[command.name()] ?? Object.keys(reporters));
    case "--preset":
      return choice(presets);
    case "--rule":
      return { kind: "pair", first: rules.map(({ id }) => id), second: levels };
    case "--spec-version":
      return choice([...specVersions, "latest"]);
    case "--result":
      return choice(["ok", "error"]);
    case "--kind":
      return choice(command.name() === "schema" ? schemaKinds : fileKinds);
    default:
      return /<(?:file|folder|path|pack)>/u.test(option.flags) ? { kind: "file" } : { kind: "text" };
  }
}

function argumentValue(command: Command, commands: readonly Command[]): CompletionValue | undefined {
  switch (command.name()) {
    case "explain":
      return { kind: "choice", choices: rules.map(({ id }) => id) };
    case "completion":
      return { kind: "choice", choices: shells };
    case "help":
      return { kind: "choice", choices: commands.map((each) => each.name()) };
    default:
      return command.registeredArguments.length === 0 ? undefined : { kind: "file" };
  }
}
