import { basename } from "node:path";
import { settingFileNames } from "../config/find-config.js";
import type { LintRequest } from "../request/lint-request.js";
import { documentNamePattern, mayBeRoutes } from "../search/find-packs.js";
import { uriToPath, type OpenFiles } from "./open-files.js";
import { DidChangeWatchedFilesNotification, type Registration } from "./protocol.js";

const documentGlob = "**/*.{json,yaml,yml}";

/** What lies on the disk and changes what is found in files that are open. */
export class WatchedFiles {
  /** Names of files that say how others are linted, or whose absence is a finding. */
  private readonly settingFileNames: readonly string[];

  constructor({ config, baseline }: LintRequest) {
    const named = [config, baseline].flatMap((file) => (typeof file === "string" ? basename(file) : []));
    this.settingFileNames = [...settingFileNames, "SKILL.md", ...named];
  }

  /** Asks the editor to tell when one of them changes. */
  get registration(): Registration {
    const watchers = [{ globPattern: `**/{${this.settingFileNames.join(",")}}` }, { globPattern: documentGlob }];
    return {
      id: "files",
      method: DidChangeWatchedFilesNotification.method,
      registerOptions: { watchers },
    };
  }

  /** The open files in which other things may be found now. Routes depend on those beside them. */
  affected(changed: readonly string[], open: OpenFiles): readonly string[] {
    const paths = changed.flatMap((uri) => (uri.includes("/node_modules/") ? [] : (uriToPath(uri) ?? [])));
    // What is no document may be a skill that a pack names, or its folder.
    if (paths.some((path) => this.settingFileNames.includes(basename(path)) || !documentNamePattern.test(path)))
      return open.uris;
    // Of a file that is open, the text in the editor counts.
    if (paths.every((path) => open.textAt(path) !== undefined)) return [];
    return open.uris.filter((uri) => isOpenRoutesFile(uri, open));
  }
}

/** The other open files in which other things may be found while one of them is typed in. */
export function otherOpenRoutes(typed: string, open: OpenFiles): readonly string[] {
  if (!isOpenRoutesFile(typed, open)) return [];
  return open.uris.filter((uri) => uri !== typed && isOpenRoutesFile(uri, open));
}

function isOpenRoutesFile(uri: string, open: OpenFiles): boolean {
  const file = open.get(uri);
  return file !== undefined && mayBeRoutes(file.path, () => Buffer.from(file.document.getText()));
}
