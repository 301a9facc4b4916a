import { editorDiagnostic } from "./editor-diagnostic.js";
import type { EditorOutcome } from "./editor-linter.js";
import { EditorPlaces } from "./editor-places.js";
import type { OpenFile } from "./open-files.js";
import {
  LogMessageNotification,
  MessageType,
  PublishDiagnosticsNotification,
  ShowMessageNotification,
  type EditorDiagnostic,
  type ProtocolConnection,
  type TextDocument,
} from "./protocol.js";

/** Tells the editor what was found. */
export class Announcer {
  /** Why a file could not be linted, as it was last said. */
  private readonly complaints = new Map<string, string>();

  constructor(private readonly connection: ProtocolConnection) {}

  tell({ uri, document }: OpenFile, outcome: EditorOutcome): void {
    if (outcome.kind === "failed") this.complain(uri, outcome.sentences.join("\n"));
    else this.complaints.delete(uri);
    this.publish(uri, diagnosticsOf(uri, document, outcome), { version: document.version });
  }

  takeBack(uri: string): void {
    this.complaints.delete(uri);
    this.publish(uri, []);
  }

  private publish(uri: string, diagnostics: EditorDiagnostic[], version: { version?: number } = {}): void {
    const params = { uri, diagnostics, ...version };
    void ifSomebodyListens(() =>
      this.connection.sendNotification(PublishDiagnosticsNotification.type, params),
    );
  }

  /** One window until all is well again: whoever types in a config makes a dozen mistakes on the way. */
  private complain(uri: string, message: string): void {
    const isFirst = this.complaints.size === 0;
    const isKnown = [...this.complaints.values()].includes(message);
    this.complaints.set(uri, message);
    if (isKnown) return;
    const type = isFirst ? ShowMessageNotification.type : LogMessageNotification.type;
    const send = () => this.connection.sendNotification(type, { type: MessageType.Error, message });
    void ifSomebodyListens(send);
  }
}

/** Where the editor is gone, or refuses, that is no fault of ours. */
export async function ifSomebodyListens(send: () => Promise<void>): Promise<void> {
  try {
    await send();
  } catch {
    // The session is about to end.
  }
}

function diagnosticsOf(uri: string, document: TextDocument, outcome: EditorOutcome): EditorDiagnostic[] {
  if (outcome.kind !== "linted") return [];
  const places = new EditorPlaces(document);
  return outcome.report.diagnostics.map((found) => editorDiagnostic(uri, places, found));
}
