import type { CompletedCommand, CompletedFlag, CompletedProgram, Value } from "./model.js";

export function zshCompletion({ flags, commands }: CompletedProgram): string {
  return `#compdef promptpack
# zsh completion for promptpack: write it to a file _promptpack in a folder of your fpath, or source it.
${pairFunction(commands)}_promptpack() {
  local -a commands
  commands=(
${commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`).join("\n")}
  )
  if (( CURRENT == 2 )); then
    if [[ $PREFIX == -* ]]; then
      _arguments ${flags.flatMap(flagSpecs).join(" ")}
    else
      _describe command commands
    fi
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${commands.map(commandCase).join("\n")}
  esac
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _promptpack "$@"
else
  compdef _promptpack promptpack
fi
`;
}

function commandCase({ name, flags, argument }: CompletedCommand): string {
  const specs = flags.flatMap(flagSpecs);
  if (argument !== undefined) specs.push(quoted(`*:argument:${action(argument)}`));
  return `    ${name}) _arguments ${specs.map((spec) => `\\\n      ${spec}`).join(" ")} ;;`;
}

/**
 * A star: flags may come again, and one that may not is told so by the program itself. An equals sign: the value may
 * stand behind one, or be the next word.
 */
function flagSpecs({ names, description, value }: CompletedFlag): string[] {
  const text = description.replace(/[\\[\]:]/gu, "\\$&");
  return names.map((name) => {
    if (value === undefined) return quoted(`*${name}[${text}]`);
    return quoted(`*${name}${name.startsWith("--") ? "=" : ""}[${text}]:value:${action(value)}`);
  });
}

function action(value: Value): string {
  switch (value.kind) {
    case "file":
      return "_files";
    case "text":
      return " ";
    case "choice":
      return `(${value.choices.join(" ")})`;
    case "pair":
      return "_promptpack_pair";
  }
}

/** An action of its own, since a colon would end one that is written in place. */
function pairFunction(commands: readonly CompletedCommand[]): string {
  const values = commands.flatMap(({ flags }) => flags.flatMap(({ value }) => value ?? []));
  const pair = values.find((value) => value.kind === "pair");
  if (pair === undefined) return "";
  return `_promptpack_pair() {
  if compset -P '*:'; then
    compadd ${pair.second.join(" ")}
  else
    compadd -S : ${pair.first.join(" ")}
  fi
}
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
