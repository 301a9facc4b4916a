import type { Document } from "../../document/document.js";
import { judge, type Judgement, type JudgeOptions } from "../../judge.js";
import { lookingBeside } from "../files/beside.js";
import type { IgnoredFinding } from "./config.js";
import type { Settings } from "./settings.js";
import { suppressByConfig } from "./suppress-by-config.js";

/** A file to lint, by whatever is known of its content. */
export interface Input {
  /** As it is reported. */
  readonly file: string;
  /** Where it lies; standard input lies nowhere, whatever its name. */
  readonly path: string | undefined;
  /** Is told which paths rules ask for. */
  readonly lookedFor?: ((path: string) => void) | undefined;
}

/** One that was read already. */
export interface Opened extends Input {
  readonly document: Document;
}

/** What the rules, the comments and the config make of a file. */
export interface Judged extends Judgement {
  readonly used: ReadonlySet<IgnoredFinding>;
}

/** What the rules and the comments leave over, the config may ignore. */
export function judgeBySettings(
  { file, path, document, lookedFor }: Opened,
  { levels, ignoredFindings }: Settings,
  options: JudgeOptions,
): Judged {
  const judged = judge(file, document, { ...options, levels, ...lookingBeside(path, lookedFor) });
  const { kept, suppressed, used } = suppressByConfig(judged.kept, ignoredFindings);
  return { ...judged, kept, suppressed: [...judged.suppressed, ...suppressed], used };
}
