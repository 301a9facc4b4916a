import type { Command } from "commander";
import { choiceHint } from "../words/setting-words.js";
import { bashCompletion } from "./completion/bash.js";
import { fishCompletion } from "./completion/fish.js";
import { completedProgram, type CompletedProgram, shells } from "./completion/model.js";
import { zshCompletion } from "./completion/zsh.js";
import type { Io } from "./io.js";
import { UsageError } from "./usage-error.js";

const scripts: Readonly<Record<(typeof shells)[number], (commands: CompletedProgram) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

export function printCompletion(io: Io, program: Command, name: string): number {
  const shell = shells.find((each) => each === name);
  if (shell === undefined) {
    throw new UsageError(`There is no completion for "${name}".${choiceHint(name, shells)}`);
  }
  io.stdout.write(scripts[shell](completedProgram(program)));
  return 0;
}
