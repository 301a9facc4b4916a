import { resolve } from "node:path";
import type { DocumentOptions } from "../../diagnose/lint-document.js";
import type { Diagnostic } from "../../diagnostic.js";
import { lintWithSettings, type ParsedInput } from "../config/judge-by-settings.js";
import { SettingsResolver, type ConfigFlags } from "../config/settings.js";

export type OpenFlags = Pick<DocumentOptions, "specVersion"> & Partial<Pick<ConfigFlags, "config">>;

/** What `lint` says of a pack when it is given no flags but these: comments and configs count. */
export async function lintOpenedPack(
  opened: ParsedInput,
  cwd: string,
  { specVersion, config }: OpenFlags,
): Promise<readonly Diagnostic[]> {
  const source = new SettingsResolver(cwd, { preset: undefined, rules: new Map(), config });
  const settings = await source.settingsFor(opened.path ?? resolve(cwd, opened.file));
  return lintWithSettings(opened, settings, { specVersion, kind: "pack" }).kept;
}
