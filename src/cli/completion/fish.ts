import type { CompletedCommand, CompletedFlag, CompletedProgram, Value } from "./model.js";

/** fish's own test finds the name of a command anywhere on the line, as in `help lint`. */
const runsCommand = `function __promptpack_runs
  set -l words (commandline -opc)
  test "$words[2]" = "$argv[1]"
end`;

export function fishCompletion({ flags, commands }: CompletedProgram): string {
  const head = "complete -c promptpack -n '__promptpack_runs \"\"'";
  return [
    "# fish completion for promptpack: write it to ~/.config/fish/completions/promptpack.fish, or source it.",
    runsCommand,
    ...commands.map(({ name, summary }) => `${head} -f -a ${name} -d ${quoted(summary)}`),
    ...flags.map((flag) => `${head} ${flagText(flag)}`),
    ...commands.flatMap(commandLines),
    "",
  ].join("\n");
}

function commandLines({ name, flags, argument }: CompletedCommand): readonly string[] {
  const head = `complete -c promptpack -n ${quoted(`__promptpack_runs ${name}`)}`;
  const choices = argument?.kind === "choice" ? [`${head} -f -a ${quoted(argument.choices.join(" "))}`] : [];
  return [...choices, ...flags.map((flag) => `${head} ${flagText(flag)}`)];
}

function flagText({ names, description, value }: CompletedFlag): string {
  const spelled = names.map((name) =>
    name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
  );
  return [...spelled, ...valueText(value), `-d ${quoted(description)}`].join(" ");
}

function valueText(value: Value | undefined): readonly string[] {
  switch (value?.kind) {
    case undefined:
      return ["-f"];
    case "file":
      return ["-r", "-F"];
    case "text":
      return ["-x"];
    case "choice":
      return ["-x", `-a ${quoted(value.choices.join(" "))}`];
    case "pair":
      return ["-x", `-a ${quoted(pairs(value.first, value.second).join(" "))}`];
  }
}

function pairs(first: readonly string[], second: readonly string[]): readonly string[] {
  return first.flatMap((one) => second.map((other) => `${one}:${other}`));
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/gu, "\\$&")}'`;
}
