import { pluralize } from "../../words/wording.js";
import type { Io } from "../terminal/io.js";
import { printMessage } from "../terminal/say.js";
import { UsageError } from "../terminal/usage-error.js";
import type { OpenedPack } from "./open-pack.js";

/** What is made of a pack with errors may be made of a guess at what was meant. */
export async function warnAboutErrors(io: Io, opened: OpenedPack): Promise<void> {
  const errors = (await opened.diagnostics()).filter(({ severity }) => severity === "error").length;
  if (errors === 0) return;
  printMessage(io, `"${opened.file}" has ${pluralize(errors, "error")}, which "promptpack lint" shows.`);
}

/** For what goes by no config: a broken one is told, and no reason to stop. */
export async function warnAboutErrorsIfPossible(io: Io, opened: OpenedPack): Promise<void> {
  try {
    await warnAboutErrors(io, opened);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    printMessage(io, error.message);
  }
}
