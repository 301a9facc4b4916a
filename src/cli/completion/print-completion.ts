import type { Command } from "commander";
import { choiceHint } from "../../words/setting-words.js";
import type { Io } from "../terminal/io.js";
import { UsageError } from "../terminal/usage-error.js";
import { bashCompletion } from "./bash.js";
import { fishCompletion } from "./fish.js";
import { describeProgram, type CompletionProgram, shells } from "./model.js";
import { zshCompletion } from "./zsh.js";

const scripts: Readonly<Record<(typeof shells)[number], (commands: CompletionProgram) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

export function printCompletion(io: Io, program: Command, name: string): number {
  const shell = shells.find((each) => each === name);
  if (shell === undefined) {
    throw new UsageError(`There is no completion for "${name}".${choiceHint(name, shells)}`);
  }
  io.stdout.write(scripts[shell](describeProgram(program)));
  return 0;
}
