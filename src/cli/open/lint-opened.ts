import { resolve } from "node:path";
import type { DocumentOptions } from "../../diagnose/lint-document.js";
import type { Diagnostic } from "../../diagnostic.js";
import { judgeBySettings, type Opened } from "../config/judge-by-settings.js";
import { SettingsSource, type ConfigFlags } from "../config/settings.js";

export type PackFlags = Pick<DocumentOptions, "specVersion"> & Partial<Pick<ConfigFlags, "config">>;

/** What `lint` says of a pack when it is given no flags but these: comments and configs count. */
export async function lintOpened(
  opened: Opened,
  cwd: string,
  { specVersion, config }: PackFlags,
): Promise<readonly Diagnostic[]> {
  const source = new SettingsSource(cwd, { preset: undefined, rules: new Map(), config });
  const settings = await source.settingsFor(opened.path ?? resolve(cwd, opened.file));
  return judgeBySettings(opened, settings, { specVersion, kind: "pack" }).kept;
}
