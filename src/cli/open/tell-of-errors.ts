import { count } from "../../words/wording.js";
import type { Io } from "../terminal/io.js";
import { say } from "../terminal/say.js";
import type { OpenedPack } from "./open-pack.js";

/** What is made of a pack with errors is made of a guess at what was meant. */
export async function tellOfErrors(io: Io, opened: OpenedPack): Promise<void> {
  const errors = (await opened.diagnostics()).filter(({ severity }) => severity === "error").length;
  if (errors === 0) return;
  say(
    io,
    `"${opened.file}" has ${count(errors, "error")}, so some of this may be wrong: run "promptpack lint".`,
  );
}
