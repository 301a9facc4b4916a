import { tool } from "../../words/tool.js";
import { fixAllKind } from "./code-actions.js";
import { CodeActionKind, TextDocumentSyncKind, type InitializeResult } from "./protocol.js";

/** Our answer to `initialize`. */
export const whatWeDo: InitializeResult = {
  serverInfo: { name: tool.name, version: tool.version },
  capabilities: {
    textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
    definitionProvider: true,
    referencesProvider: true,
    codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, fixAllKind] },
  },
};
