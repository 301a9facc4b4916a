import { runtimeNamed } from "../../runtimes/index.js";
import { runtimeNames, workflowRuntimeNames } from "../../runtimes/names.js";
import { readingOf, type Runtime } from "../../runtimes/runtime.js";
import { listChoices } from "../../text/wording.js";
import { UsageError } from "../terminal/io.js";
import { readChoice, type ReadingFlags } from "./flags.js";

/** Undefined for the machine of the RFCs. */
export function readRuntime({ runtime }: ReadingFlags): Runtime | undefined {
  if (runtime === undefined) return undefined;
  const known = runtimeNames.find((name) => name === runtime);
  const named = runtimeNamed(known ?? readChoice("--runtime", runtime, workflowRuntimeNames));
  if (readingOf(named) !== undefined) return named;
  const others = listChoices(workflowRuntimeNames);
  throw new UsageError(`${named.title} runs no workflows: with this command, "--runtime" can be ${others}.`);
}
