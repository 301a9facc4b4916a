import type { Document } from "../../document/document.js";
import { lintFile, type LintedFile, type LintFileOptions } from "../../judge.js";
import { surroundingsOf } from "../files/beside.js";
import type { IgnoredFinding } from "./config.js";
import type { Settings } from "./settings.js";
import { suppressByConfig } from "./suppress-by-config.js";

/** A file to lint, by whatever is known of its content. */
export interface LintInput {
  /** As it is reported. */
  readonly file: string;
  /** Where it lies; standard input lies nowhere, whatever its name. */
  readonly path: string | undefined;
  /** Is told which paths rules ask for. */
  readonly lookedFor?: ((path: string) => void) | undefined;
}

/** One that was read already. */
export interface ParsedInput extends LintInput {
  readonly document: Document;
}

/** What the rules, the comments and the config make of a file. */
export interface ConfiguredResult extends LintedFile {
  readonly used: ReadonlySet<IgnoredFinding>;
}

/** What the rules and the comments leave over, the config may ignore. */
export function lintWithSettings(
  { file, path, document, lookedFor }: ParsedInput,
  { levels, ignoredFindings }: Settings,
  options: LintFileOptions,
): ConfiguredResult {
  const judged = lintFile(file, document, { ...options, levels, ...surroundingsOf(path, lookedFor) });
  const { kept, suppressed, used } = suppressByConfig(judged.kept, ignoredFindings);
  return { ...judged, kept, suppressed: [...judged.suppressed, ...suppressed], used };
}
