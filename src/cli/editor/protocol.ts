/** The build keeps the Language Server Protocol in a file of its own, as only `lsp` needs it. */
export * from "vscode-languageserver-protocol/node";
export { TextDocument } from "vscode-languageserver-textdocument";
