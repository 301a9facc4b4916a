import { pathToFileURL } from "node:url";
import { BrokenConfig } from "../config/load-config.js";
import { configDiagnostic, editorDiagnostic } from "./editor-diagnostic.js";
import type { EditorOutcome } from "./editor-linter.js";
import { editorRange, EditorPlaces } from "./editor-places.js";
import { pathOf, type OpenFile } from "./open-files.js";
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
  /** The config that stands in the way of each file that it does. */
  private readonly broken = new Map<string, BrokenConfig>();
  /** What was last told of configs that are not open, by their paths. */
  private readonly toldOfConfigs = new Map<string, string>();

  constructor(
    private readonly connection: ProtocolConnection,
    private readonly isOpen: (path: string) => boolean,
  ) {}

  tell({ uri, path, document }: OpenFile, outcome: EditorOutcome): void {
    this.forgetConfig(uri, path);
    this.broken.delete(uri);
    if (outcome.kind === "failed") {
      this.complain(uri, outcome.sentences.join("\n"));
      if (outcome.cause instanceof BrokenConfig) this.broken.set(uri, outcome.cause);
    } else this.complaints.delete(uri);
    this.publish(uri, diagnosticsOf(uri, document, outcome), { version: document.version });
    this.tellOfConfigs();
  }

  takeBack(uri: string): void {
    this.forgetConfig(uri, pathOf(uri));
    this.complaints.delete(uri);
    this.broken.delete(uri);
    this.publish(uri, []);
    this.tellOfConfigs();
  }

  /** What was told of a config is another matter once it is open, or was; the editor may spell its address in another way. */
  private forgetConfig(uri: string, path: string | undefined): void {
    if (path === undefined || !this.toldOfConfigs.delete(path)) return;
    const told = pathToFileURL(path).href;
    if (told !== uri) this.publish(told, []);
  }

  /** A config that is open is told of by itself, as it is there; others for as long as they are in somebody's way. */
  private tellOfConfigs(): void {
    const broken = new Map([...this.broken.values()].map((config) => [config.path, config]));
    for (const path of new Set([...broken.keys(), ...this.toldOfConfigs.keys()])) {
      if (this.isOpen(path)) continue;
      const faults = broken.get(path)?.faults ?? [];
      const diagnostics = faults.map(({ range, message }) => configDiagnostic(editorRange(range), message));
      const known = this.toldOfConfigs.get(path) ?? "[]";
      const news = JSON.stringify(diagnostics);
      if (news === known) continue;
      this.toldOfConfigs.set(path, news);
      this.publish(pathToFileURL(path).href, diagnostics);
    }
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
  const places = new EditorPlaces(document);
  if (outcome.kind === "config")
    return outcome.faults.map(({ range, message }) => configDiagnostic(places.range(range), message));
  if (outcome.kind !== "linted") return [];
  return outcome.report.diagnostics.map((found) => editorDiagnostic(uri, places, found));
}
