import type { CompletionCommand, CompletionFlag, CompletionProgram, CompletionValue } from "./model.js";

/** fish's own test finds the name of a command anywhere on the line, as in `help lint`. */
const fishRunsCommand = `function __promptpack_runs
  set -l words (commandline -opc)
  test "$words[2]" = "$argv[1]"
end`;

export function fishCompletion({ flags, commands }: CompletionProgram): string {
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
  const choices = argument?.kind === "choice" ? [`${head} -f -a ${fishQuote(argument.choices.join(" "))}`] : [];
  return [...choices, ...flags.map((flag) => `${head} ${fishFlag(flag)}`)];
}

function fishFlag({ names, description, value }: CompletionFlag): string {
  const spelled = names.map((name) =>
    name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
  );
  return [...spelled, ...fishValue(value), `-d ${fishQuote(description)}`].join(" ");
}

function fishValue(value: CompletionValue | undefined): readonly string[] {
  switch (value?.kind) {
    case undefined:
      return ["-f"];
    case "file":
      return ["-r", "-F"];
    case "text":
      return ["-x"];
    case "choice":
      return ["-x", `-a ${fishQuote(value.choices.join(" "))}`];
    case "pair":
      return ["-x", `-a ${fishQuote(pairs(value.first, value.second).join(" "))}`];
  }
}

function pairs(first: readonly string[], second: readonly string[]): readonly string[] {
  return first.flatMap((one) => second.map((other) => `${one}:${other}`));
}

function fishQuote(text: string): string {
  return `'${text.replace(/[\\']/gu, "\\$&")}'`;
}
