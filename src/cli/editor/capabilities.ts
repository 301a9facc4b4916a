import { basename } from "node:path";
import { tool } from "../../words/tool.js";
import { configNames } from "../config/find-config.js";
import type { LintRequest } from "../request/lint-request.js";
import { fixAllKind } from "./code-actions.js";
import {
  CodeActionKind,
  DidChangeWatchedFilesNotification,
  TextDocumentSyncKind,
  type InitializeResult,
  type Registration,
} from "./protocol.js";

/** Our answer to `initialize`. */
export const whatWeDo: InitializeResult = {
  serverInfo: { name: tool.name, version: tool.version },
  capabilities: {
    textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
    codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, fixAllKind] },
  },
};

const deciding = [...configNames, "package.json", ".promptpackignore", ".gitignore"];

/** Asks the editor to tell when a file changes that changes what is found. */
export function watchOfConfigs({ config, baseline }: LintRequest): Registration {
  const named = [config, baseline].flatMap((file) => (typeof file === "string" ? basename(file) : []));
  return {
    id: "configs",
    method: DidChangeWatchedFilesNotification.method,
    registerOptions: { watchers: [{ globPattern: `**/{${[...deciding, ...named].join(",")}}` }] },
  };
}
