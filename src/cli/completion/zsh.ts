import type { CompletionCommand, CompletionFlag, CompletionProgram, CompletionValue } from "./model.js";

export function zshCompletion({ flags, commands }: CompletionProgram): string {
  return `#compdef promptpack
# zsh completion for promptpack: write it to a file _promptpack in a folder of your fpath, or source it.
${zshPairFunction(commands)}_promptpack() {
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

/**
 * A star: flags may come again, and one that may not is told so by the program itself. An equals sign: the value may
 * stand behind one, or be the next word.
 */
function zshFlagSpecs({ names, description, value }: CompletionFlag): string[] {
  const text = description.replace(/[\\[\]:]/gu, "\\$&");
  return names.map((name) => {
    if (value === undefined) return zshQuote(`*${name}[${text}]`);
    return zshQuote(`*${name}${name.startsWith("--") ? "=" : ""}[${text}]:value:${zshAction(value)}`);
  });
}

function zshAction(value: CompletionValue): string {
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
function zshPairFunction(commands: readonly CompletionCommand[]): string {
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

function zshQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
