import { tool } from "../../words/tool.js";
import { configNames } from "../config/find-config.js";
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

/** These files change what is found, wherever they are. */
const deciding = [...configNames, "package.json", ".promptpackignore"];

/** Asks the editor to tell when one of them changes. */
export const watchOfConfigs: Registration = {
  id: "configs",
  method: DidChangeWatchedFilesNotification.method,
  registerOptions: { watchers: [{ globPattern: `**/{${deciding.join(",")}}` }] },
};
