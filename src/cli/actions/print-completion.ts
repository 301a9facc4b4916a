// Written by hand, because packages for several shells start the program at every Tab, and evaluate what has been typed.

import type { Command } from "commander";
import { levels } from "../../diagnostic.js";
import { fileKinds } from "../../document/file-format.js";
import { drawingFormats } from "../../drawing/draw.js";
import { directions } from "../../drawing/picture.js";
import { reporters } from "../../reporters/index.js";
import { ruleIds } from "../../rules/index.js";
import { workflowRuntimeNames } from "../../runtimes/names.js";
import { runtimeNames } from "../../runtimes/names.js";
import { specVersions } from "../../text/tool-info.js";
import { chooseFrom, commandFormats, failOnLevels, presets } from "../config/flags.js";
import type { Io } from "../terminal/io.js";
import { schemaKinds } from "./print-reference.js";

/** A list of choices, or `level` for `rule:level`. */
type Value = "file" | "text" | "level" | readonly string[];

interface Flag {
  readonly names: readonly string[];
  readonly description: string;
  /** Undefined if it takes none. */
  readonly value: Value | undefined;
}

interface Completed {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly Flag[];
  readonly argument: Value | undefined;
}

const shells = ["bash", "zsh", "fish"] as const;

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

export function printCompletion(io: Io, name: string, _flags: object, command: Command): number {
  const shell = chooseFrom(shells, name, "There is no completion for");
  const program = command.parent ?? command;
  const commands = program.createHelp().visibleCommands(program);
  const names = commands.map((each) => each.name());
  const completed = commands.map((each) => describe(each, each.name(), names));
  io.stdout.write(scripts[shell](describe(program, "", names), completed));
  return 0;
}

function describe(command: Command, name: string, commands: readonly string[]): Completed {
  const values: Readonly<Record<string, Value>> = { ...valuesOf, "": commands, help: commands };
  const options = command.createHelp().visibleOptions(command);
  return {
    name,
    summary: command.summary() || command.description(),
    flags: options.map(({ short, long = "", flags, description }) => {
      const other = /<(?:file|folder|path|pack|records\.\.\.)>/u.test(flags) ? "file" : "text";
      const value = /[<[]/u.test(flags) ? (values[`${name} ${long}`] ?? values[long] ?? other) : undefined;
      return { names: [short ?? [], long].flat(), description, value };
    }),
    argument: values[name] ?? (command.registeredArguments.length === 0 ? undefined : "file"),
  };
}

/** The values of a flag, in one command or in all that have it, and the arguments of a command. */
const valuesOf: Readonly<Record<string, Value>> = {
  "--direction": directions,
  "--fail-on": failOnLevels,
  "--format": Object.keys(reporters),
  "--kind": fileKinds,
  "--only": ruleIds,
  "--preset": presets,
  "--result": ["ok", "error"],
  "--rule": "level",
  "--runtime": [...workflowRuntimeNames],
  "--spec-version": [...specVersions, "latest"],
  "graph --format": drawingFormats,
  "schema --kind": schemaKinds,
  ...Object.fromEntries(
    ["lint", "validate", "inspect", "lsp"].map((name) => [`${name} --runtime`, [...runtimeNames, "none"]]),
  ),
  ...Object.fromEntries(
    Object.entries(commandFormats).map(([name, formats]) => [`${name} --format`, formats]),
  ),
  completion: shells,
  explain: ruleIds,
  rules: ruleIds,
};

/**
 * bash splits words at `:` and `=`, so the current word is read from the whole line, and its first part is removed from the
 * answers. Without an answer, bash completes file names.
 */
function bashScript(program: Completed, commands: readonly Completed[]): string {
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
${[...commands, program].flatMap(bashCases).join("\n")}
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

function bashCases({ name, flags, argument = "file" }: Completed): readonly string[] {
  const cases = flags.flatMap(({ names, value }) => {
    if (value === undefined) return [];
    const patterns = names.map((flag) => `"${name} ${flag}"`).join(" | ");
    return `    ${patterns}) ${bashChoices(value)} ;;`;
  });
  const long = flags.flatMap(({ names }) => names.filter((flag) => flag.startsWith("--"))).join(" ");
  const others = `if [[ $word == -* ]]; then choices="${long}"; else ${bashChoices(argument)}; fi`;
  return [...cases, `    "${name} "*) ${others} ;;`];
}

function bashChoices(value: Value): string {
  if (typeof value !== "string") return `choices="${value.join(" ")}"`;
  if (value !== "level") return "choices=";
  const first = ruleIds.map((id) => `${id}:`).join(" ");
  return `if [[ $word == *:* ]]; then prefix=\${word%%:*}: choices="${levels.join(" ")}"; else choices="${first}"; fi`;
}

function zshScript({ flags }: Completed, commands: readonly Completed[]): string {
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
      _arguments ${flags.flatMap(zshFlag).join(" ")}
    else
      _describe command commands
    fi
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${commands.map(zshCase).join("\n")}
  esac
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _promptpack "$@"
else
  compdef _promptpack promptpack
fi
`;
}

function zshCase({ name, flags, argument }: Completed): string {
  const specs = flags.flatMap(zshFlag);
  if (argument !== undefined) specs.push(zshQuote(`*:argument:${zshAction(argument)}`));
  return `    ${name}) _arguments ${specs.map((spec) => `\\\n      ${spec}`).join(" ")} ;;`;
}

/** `*` allows a flag to be repeated, `=` allows its value after an equals sign or as the next word. */
function zshFlag({ names, description, value }: Flag): string[] {
  const text = description.replace(/[\\[\]:]/gu, "\\$&");
  return names.map((name) => {
    if (value === undefined) return zshQuote(`*${name}[${text}]`);
    return zshQuote(`*${name}${name.startsWith("--") ? "=" : ""}[${text}]:value:${zshAction(value)}`);
  });
}

function zshAction(value: Value): string {
  if (typeof value !== "string") return `(${value.join(" ")})`;
  return { file: "_files", text: " ", level: "_promptpack_level" }[value];
}

function zshQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** fish's own test finds the command name anywhere on the line, as in `help lint`. */
function fishScript(program: Completed, commands: readonly Completed[]): string {
  return `# fish completion for promptpack: write it to ~/.config/fish/completions/promptpack.fish, or source it.
function __promptpack_runs
  set -l words (commandline -opc)
  test "$words[2]" = "$argv[1]"
end
${commands.map(({ name, summary }) => fishLine("", `-f -a ${name} -d ${fishQuote(summary)}`)).join("\n")}
${[program, ...commands].flatMap(fishLines).join("\n")}
`;
}

function fishLines({ name, flags, argument }: Completed): readonly string[] {
  const choices = name !== "" && Array.isArray(argument) ? [`-f -a ${fishQuote(argument.join(" "))}`] : [];
  return [...choices, ...flags.map(fishFlag)].map((line) => fishLine(name, line));
}

function fishLine(command: string, rest: string): string {
  return `complete -c promptpack -n ${fishQuote(`__promptpack_runs ${command || '""'}`)} ${rest}`;
}

function fishFlag({ names, description, value }: Flag): string {
  const spelled = names.map((name) => name.replace(/^-(-?)/u, (_, long) => (long ? "-l " : "-s ")));
  return [...spelled, ...fishValue(value), `-d ${fishQuote(description)}`].join(" ");
}

function fishValue(value: Value | undefined): readonly string[] {
  if (value === undefined) return ["-f"];
  if (value === "file") return ["-r", "-F"];
  if (value === "text") return ["-x"];
  const pairs = ruleIds.flatMap((id) => levels.map((level) => `${id}:${level}`));
  return ["-x", `-a ${fishQuote((value === "level" ? pairs : value).join(" "))}`];
}

function fishQuote(text: string): string {
  return `'${text.replace(/[\\']/gu, "\\$&")}'`;
}
