import process from "node:process";
import { commands, type ExtensionContext, type TextDocument, Uri, window, workspace } from "vscode";
import { LanguageClient, type LanguageClientOptions } from "vscode-languageclient/node";
import { Drawings } from "./drawings.js";
import { findProgram, type Program } from "./program.js";
import { simulate } from "./simulate.js";

let client: LanguageClient | undefined;

export async function activate(context: ExtensionContext): Promise<void> {
  const drawings = new Drawings(async (uri) => {
    if (client === undefined) return null;
    const textDocument = { uri: client.code2ProtocolConverter.asUri(uri) };
    return client.sendRequest<string | null>("promptpack/drawing", { textDocument });
  });
  const register = (command: string, run: (document: TextDocument) => Promise<void>) =>
    commands.registerCommand(command, async (place: unknown) => {
      const document = await findDocument(place);
      if (document !== undefined) await run(document);
    });
  context.subscriptions.push(
    drawings,
    register("promptpack.draw", (document) => drawings.draw(document)),
    register("promptpack.simulate", (document) => simulate(document, findProgram(context))),
    workspace.onDidChangeConfiguration(async (change) => {
      if (!change.affectsConfiguration("promptpack.path")) return;
      await deactivate();
      await start(findProgram(context));
    }),
  );
  await start(findProgram(context));
}

export async function deactivate(): Promise<void> {
  const stopping = client;
  client = undefined;
  await stopping?.dispose();
}

async function start({ command, args, env }: Program): Promise<void> {
  const options: LanguageClientOptions = {
    // promptpack reads the configuration beside a file, so a text that was never saved has none.
    documentSelector: ["yaml", "json", "jsonc"].map((language) => ({ scheme: "file", language })),
    initializationOptions: { commands: ["promptpack.draw", "promptpack.simulate"] },
  };
  const server = { command, args: [...args, "lsp"], options: { env: { ...process.env, ...env } } };
  client = new LanguageClient("promptpack", "PromptPack", server, options);
  // A failure is shown by the client. The commands stay, and another path may be set.
  await client.start().catch(() => undefined);
}

/** A lens names a document by the text of its address, a menu by the address itself, the command palette not at all. */
async function findDocument(place: unknown): Promise<TextDocument | undefined> {
  const uri = typeof place === "string" ? Uri.parse(place) : place;
  if (uri instanceof Uri) return workspace.openTextDocument(uri);
  const document = window.activeTextEditor?.document;
  if (document === undefined) void window.showInformationMessage("Open a pack first.");
  return document;
}
