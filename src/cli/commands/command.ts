import type { Command } from "commander";
import type { Io } from "../terminal/io.js";

/** Says what a command takes and does: its words here, its work loaded when it runs. */
export type DefineCommand = (command: Command, io: Io, finish: (code: number) => void) => void;
