import type { Command } from "commander";
import type { Io } from "../io.js";

/** Adds a command to the program: its words here, its work loaded when it runs. */
export type DefineCommand = (program: Command, io: Io, finish: (code: number) => void) => void;
