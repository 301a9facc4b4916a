import { resolve } from "node:path";
import type { Diagnostic } from "../../diagnostic.js";
import type { Document } from "../../document/document.js";
import { judge } from "../../judge.js";
import { rules } from "../../rules/index.js";
import { SettingsSource } from "../config/settings.js";
import { suppressByConfig } from "../config/suppress-by-config.js";
import { lookingBeside } from "../files/beside.js";

/** A pack that was read already. */
interface Opened {
  readonly file: string;
  /** Where it lies; standard input lies nowhere. */
  readonly path: string | undefined;
  readonly document: Document;
}

const noFlags = { preset: undefined, rules: new Map(), config: undefined };

/** What `lint` says of a pack when it is given no flags: comments and configs count. */
export async function lintOpened(
  { file, path, document }: Opened,
  cwd: string,
  specVersion: string | undefined,
): Promise<readonly Diagnostic[]> {
  const settings = new SettingsSource(rules, cwd, noFlags);
  const { levels, ignoredFindings } = await settings.settingsFor(path ?? resolve(cwd, file));
  const { kept } = judge(file, document, { levels, specVersion, kind: "pack", ...lookingBeside(path) });
  return suppressByConfig(kept, ignoredFindings).kept;
}
