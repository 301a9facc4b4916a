import type { Command, Option } from "commander";
import { levels } from "../../diagnostic.js";
import { fileKinds } from "../../document/file-format.js";
import { drawingFormats } from "../../drawing/draw.js";
import { directions } from "../../drawing/picture.js";
import { reporters } from "../../reporters/index.js";
import { rules } from "../../rules/index.js";
import { specVersions } from "../../text/tool-info.js";
import { choiceHint } from "../../text/wording.js";
import { presets } from "../config/config.js";
import { commandFormats, failOnLevels } from "../config/flags.js";
import type { Io } from "../terminal/io.js";
import { UsageError } from "../terminal/messages.js";
import { schemaKinds } from "./print-schema.js";

/**
 * bash splits words at `:` and `=`, so the current word is read from the whole line, and its first part is removed from the
 * answers. Without an answer, bash completes file names.
 */
function bashCompletion({ flags, commands }: CompletionProgram): string {
  return `# bash completion for promptpack: source it, or write it to a file that bash-completion reads.
_promptpack() {
  local line=\${COMP_LINE:0:COMP_POINT} word before command= choices= prefix= head= each
  local -a words
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  word=\${words[\${#words[@]} - 1]} before=\${words[\${#words[@]} - 2]}
  for each in "\${words[@]:1:\${#words[@]} - 2}"; do
    [[ $each == -* ]] || { command=$each; break; }
  done
  COMPREPLY=()
  if [[ $word == --*=* ]]; then
    before=\${word%%=*} prefix=$before=
  fi
  case "$command $before" in
${commands.flatMap(bashFlagCases).join("\n")}
    *)
      case "$command" in
        "") choices="${[...commands.map(({ name }) => name), ...longNames(flags)].join(" ")}" ;;
${commands.map(bashCommandCase).join("\n")}
      esac
      ;;
  esac
  for each in : =; do
    before=\${word%"$each"*}$each
    [[ $COMP_WORDBREAKS == *$each* && $word == *$each* && \${#before} -gt \${#head} ]] && head=$before
  done
  while IFS= read -r each; do
    COMPREPLY+=("\${each#"$head"}")
  done < <(compgen -P "$prefix" -W "$choices" -- "\${word#"$prefix"}")
  [[ \${COMPREPLY[0]-} == *: ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -o bashdefault -o default -F _promptpack promptpack
`;
}

function bashFlagCases({ name, flags }: CompletionCommand): readonly string[] {
  return flags.flatMap(({ names, value }) => {
    if (value === undefined) return [];
    const patterns = names.map((flag) => `"${name} ${flag}"`).join(" | ");
    return `    ${patterns}) ${bashValue(value)} ;;`;
  });
}

function bashCommandCase({ name, flags, argument = "file" }: CompletionCommand): string {
  const names = longNames(flags).join(" ");
  return `        ${name}) if [[ $word == -* ]]; then choices="${names}"; else ${bashValue(argument)}; fi ;;`;
}

function longNames(flags: readonly CompletionFlag[]): readonly string[] {
  return flags.flatMap(({ names }) => names.filter((name) => name.startsWith("--")));
}

function bashValue(value: CompletionValue): string {
  if (value === "file" || value === "text") return "choices=";
  if (value !== "level") return `choices="${value.join(" ")}"`;
  const first = ruleIds.map((id) => `${id}:`).join(" ");
  return `if [[ $word == *:* ]]; then prefix=\${word%%:*}: choices="${levels.join(" ")}"; else choices="${first}"; fi`;
}

function zshCompletion({ flags, commands }: CompletionProgram): string {
  return `#compdef promptpack
# zsh completion for promptpack: write it to a file _promptpack in a folder of your fpath, or source it.
# A colon would end an inline action.
_promptpack_level() {
  if compset -P '*:'; then
    compadd ${levels.join(" ")}
  else
    compadd -S : ${ruleIds.join(" ")}
  fi
}
_promptpack() {
  local -a commands
  commands=(
${commands.map(({ name, summary }) => `    ${zshQuote(`${name}:${summary}`)}`).join("\n")}
  )
  if (( CURRENT == 2 )); then
    if [[ $PREFIX == -* ]]; then
      _arguments ${flags.flatMap(zshFlagSpecs).join(" ")}
    else
      _describe command commands
    fi
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${commands.map(zshCommandCase).join("\n")}
  esac
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _promptpack "$@"
else
  compdef _promptpack promptpack
fi
`;
}

function zshCommandCase({ name, flags, argument }: CompletionCommand): string {
  const specs = flags.flatMap(zshFlagSpecs);
  if (argument !== undefined) specs.push(zshQuote(`*:argument:${zshAction(argument)}`));
  return `    ${name}) _arguments ${specs.map((spec) => `\\\n      ${spec}`).join(" ")} ;;`;
}

/** `*` allows a flag to be repeated, `=` allows its value after an equals sign or as the next word. */
function zshFlagSpecs({ names, description, value }: CompletionFlag): string[] {
  const text = description.replace(/[\\[\]:]/gu, "\\$&");
  return names.map((name) => {
    if (value === undefined) return zshQuote(`*${name}[${text}]`);
    return zshQuote(`*${name}${name.startsWith("--") ? "=" : ""}[${text}]:value:${zshAction(value)}`);
  });
}

function zshAction(value: CompletionValue): string {
  if (value === "file") return "_files";
  if (value === "text") return " ";
  return value === "level" ? "_promptpack_level" : `(${value.join(" ")})`;
}

function zshQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** fish's own test finds the command name anywhere on the line, as in `help lint`. */
const fishRunsCommand = `function __promptpack_runs
  set -l words (commandline -opc)
  test "$words[2]" = "$argv[1]"
end`;

function fishCompletion({ flags, commands }: CompletionProgram): string {
  const head = "complete -c promptpack -n '__promptpack_runs \"\"'";
  return [
    "# fish completion for promptpack: write it to ~/.config/fish/completions/promptpack.fish, or source it.",
    fishRunsCommand,
    ...commands.map(({ name, summary }) => `${head} -f -a ${name} -d ${fishQuote(summary)}`),
    ...flags.map((flag) => `${head} ${fishFlag(flag)}`),
    ...commands.flatMap(fishCommandLines),
    "",
  ].join("\n");
}

function fishCommandLines({ name, flags, argument }: CompletionCommand): readonly string[] {
  const head = `complete -c promptpack -n ${fishQuote(`__promptpack_runs ${name}`)}`;
  const choices = Array.isArray(argument) ? [`${head} -f -a ${fishQuote(argument.join(" "))}`] : [];
  return [...choices, ...flags.map((flag) => `${head} ${fishFlag(flag)}`)];
}

function fishFlag({ names, description, value }: CompletionFlag): string {
  const spelled = names.map((name) =>
    name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
  );
  return [...spelled, ...fishValue(value), `-d ${fishQuote(description)}`].join(" ");
}

function fishValue(value: CompletionValue | undefined): readonly string[] {
  if (value === undefined) return ["-f"];
  if (value === "file") return ["-r", "-F"];
  if (value === "text") return ["-x"];
  const pairs = ruleIds.flatMap((id) => levels.map((level) => `${id}:${level}`));
  return ["-x", `-a ${fishQuote((value === "level" ? pairs : value).join(" "))}`];
}

function fishQuote(text: string): string {
  return `'${text.replace(/[\\']/gu, "\\$&")}'`;
}

const scripts: Readonly<Record<(typeof shells)[number], (commands: CompletionProgram) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

export function printCompletion(io: Io, name: string, _flags: object, command: Command): number {
  const shell = shells.find((each) => each === name);
  if (shell === undefined) {
    throw new UsageError(`There is no completion for "${name}".${choiceHint(name, shells)}`);
  }
  io.stdout.write(scripts[shell](describeProgram(command.parent ?? command)));
  return 0;
}

const shells = ["bash", "zsh", "fish"] as const;

/** A list of choices, or `level` for `rule:level`. */
type CompletionValue = "file" | "text" | "level" | readonly string[];

const ruleIds = rules.map(({ id }) => id);

type CompletionProgram = ReturnType<typeof describeProgram>;
type CompletionCommand = CompletionProgram["commands"][number];
type CompletionFlag = CompletionProgram["flags"][number];

/** Every command with its flags and arguments, read from the program itself. */
function describeProgram(program: Command) {
  const help = program.createHelp();
  const commands = help.visibleCommands(program);
  const flagsOf = (command: Command) =>
    help.visibleOptions(command).map((option) => ({
      names: [option.short, option.long].flatMap((name) => name ?? []),
      description: option.description,
      /** Absent if the flag takes no value. */
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
  switch (option.long) {
    case "--format":
      return formats[command.name()] ?? Object.keys(reporters);
    case "--direction":
      return directions;
    case "--preset":
      return presets;
    case "--rule":
      return "level";
    case "--only":
      return ruleIds;
    case "--spec-version":
      return [...specVersions, "latest"];
    case "--fail-on":
      return failOnLevels;
    case "--result":
      return ["ok", "error"];
    case "--kind":
      return command.name() === "schema" ? schemaKinds : fileKinds;
    default:
      return /<(?:file|folder|path|pack|records\.\.\.)>/u.test(option.flags) ? "file" : "text";
  }
}

function argumentValue(command: Command, commands: readonly Command[]): CompletionValue | undefined {
  switch (command.name()) {
    case "explain":
    case "rules":
      return ruleIds;
    case "completion":
      return shells;
    case "help":
      return commands.map((each) => each.name());
    default:
      return command.registeredArguments.length === 0 ? undefined : "file";
  }
}
