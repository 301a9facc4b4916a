import { toolInfo } from "../../words/tool.js";
import { fixAllKind } from "./code-actions.js";
import { CodeActionKind, TextDocumentSyncKind, type InitializeResult } from "./protocol.js";

/** Our answer to `initialize`. */
export const initializeResult: InitializeResult = {
  serverInfo: { name: toolInfo.name, version: toolInfo.version },
  capabilities: {
    textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
    definitionProvider: true,
    referencesProvider: true,
    codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, fixAllKind] },
  },
};
