import { resolve } from "node:path";
import type { Diagnostic } from "../../diagnostic.js";
import { judgeBySettings, type Opened } from "../config/judge-by-settings.js";
import { SettingsSource } from "../config/settings.js";

const noFlags = { preset: undefined, rules: new Map(), config: undefined };

/** What `lint` says of a pack when it is given no flags: comments and configs count. */
export async function lintOpened(
  opened: Opened,
  cwd: string,
  specVersion: string | undefined,
): Promise<readonly Diagnostic[]> {
  const source = new SettingsSource(cwd, noFlags);
  const settings = await source.settingsFor(opened.path ?? resolve(cwd, opened.file));
  return judgeBySettings(opened, settings, { specVersion, kind: "pack" }).kept;
}
