import type { FileReport } from "../../reporters/report.js";
import { count } from "../../words/wording.js";
import { describeIoError } from "../files/read-file.js";
import type { Linted } from "../report/linted.js";
import type { LintRequest } from "../request/lint-request.js";
import type { Io } from "../terminal/io.js";
import { say } from "../terminal/say.js";
import type { Troubles } from "../terminal/troubles.js";
import type { Baseline } from "./baseline.js";

interface Run {
  readonly io: Io;
  readonly request: LintRequest;
  readonly troubles: Troubles;
}

/** Loads what reads baselines only where there is one. */
export async function openBaseline(
  { baseline, updateBaseline }: LintRequest,
  cwd: string,
): Promise<Baseline | undefined> {
  if (baseline === undefined) return undefined;
  const { Baseline } = await import("./baseline.js");
  return Baseline.open(baseline, cwd, updateBaseline);
}

/** What the baseline does not know; where it is to be written, it knows all of it afterwards. */
export function throughBaseline(
  linted: readonly Linted[],
  baseline: Baseline | undefined,
  { io, request, troubles }: Run,
): readonly FileReport[] {
  if (baseline === undefined) return linted.map(({ report }) => report);
  if (!request.updateBaseline) return baseline.apply(linted);
  if (troubles.any) {
    // It would forget, or never hear of, what could not be linted now.
    say(io, "The baseline was not updated: not everything could be linted.");
    return baseline.apply(linted);
  }
  try {
    const { reports, size } = baseline.update(linted);
    say(io, `The baseline now records ${count(size, "finding")}.`);
    return reports;
  } catch (error) {
    troubles.tell(`The baseline "${request.baseline ?? ""}" ${describeIoError(error, "written")}.`);
    return linted.map(({ report }) => report);
  }
}
