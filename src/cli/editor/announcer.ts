import { pathToFileURL } from "node:url";
import { ConfigError } from "../config/load-config.js";
import { toConfigDiagnostic, toEditorDiagnostic } from "./editor-diagnostic.js";
import type { EditorOutcome } from "./editor-linter.js";
import { toEditorRange, EditorPositions } from "./editor-places.js";
import { uriToPath, type OpenFile } from "./open-files.js";
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
export class DiagnosticPublisher {
  /** Why a file could not be linted, as it was last said. */
  private readonly failures = new Map<string, string>();
  /** The config that stands in the way of each file that it does. */
  private readonly brokenConfigs = new Map<string, ConfigError>();
  /** What was last told of configs that are not open, by their paths. */
  private readonly publishedConfigs = new Map<string, string>();

  constructor(
    private readonly connection: ProtocolConnection,
    private readonly isOpen: (path: string) => boolean,
  ) {}

  publishOutcome({ uri, path, document }: OpenFile, outcome: EditorOutcome): void {
    this.forgetConfig(uri, path);
    this.brokenConfigs.delete(uri);
    if (outcome.kind === "failed") {
      this.showFailure(uri, outcome.sentences.join("\n"));
      if (outcome.cause instanceof ConfigError) this.brokenConfigs.set(uri, outcome.cause);
    } else this.failures.delete(uri);
    this.publish(uri, diagnosticsOf(uri, document, outcome), { version: document.version });
    this.publishConfigs();
  }

  clear(uri: string): void {
    this.forgetConfig(uri, uriToPath(uri));
    this.failures.delete(uri);
    this.brokenConfigs.delete(uri);
    this.publish(uri, []);
    this.publishConfigs();
  }

  /** What was told of a config is another matter once it is open, or was; the editor may spell its address in another way. */
  private forgetConfig(uri: string, path: string | undefined): void {
    if (path === undefined || !this.publishedConfigs.delete(path)) return;
    const told = pathToFileURL(path).href;
    if (told !== uri) this.publish(told, []);
  }

  /** A config that is open is told of by itself, as it is there; others for as long as they are in somebody's way. */
  private publishConfigs(): void {
    const broken = new Map([...this.brokenConfigs.values()].map((config) => [config.path, config]));
    for (const path of new Set([...broken.keys(), ...this.publishedConfigs.keys()])) {
      if (this.isOpen(path)) continue;
      const faults = broken.get(path)?.faults ?? [];
      const diagnostics = faults.map(({ range, message }) => toConfigDiagnostic(toEditorRange(range), message));
      const known = this.publishedConfigs.get(path) ?? "[]";
      const news = JSON.stringify(diagnostics);
      if (news === known) continue;
      this.publishedConfigs.set(path, news);
      this.publish(pathToFileURL(path).href, diagnostics);
    }
  }

  private publish(uri: string, diagnostics: EditorDiagnostic[], version: { version?: number } = {}): void {
    const params = { uri, diagnostics, ...version };
    void ignoreSendErrors(() =>
      this.connection.sendNotification(PublishDiagnosticsNotification.type, params),
    );
  }

  /** One window until all is well again: whoever types in a config makes a dozen mistakes on the way. */
  private showFailure(uri: string, message: string): void {
    const isFirst = this.failures.size === 0;
    const isKnown = [...this.failures.values()].includes(message);
    this.failures.set(uri, message);
    if (isKnown) return;
    const type = isFirst ? ShowMessageNotification.type : LogMessageNotification.type;
    const send = () => this.connection.sendNotification(type, { type: MessageType.Error, message });
    void ignoreSendErrors(send);
  }
}

/** Where the editor is gone, or refuses, that is no fault of ours. */
export async function ignoreSendErrors(send: () => Promise<void>): Promise<void> {
  try {
    await send();
  } catch {
    // The session is about to end.
  }
}

function diagnosticsOf(uri: string, document: TextDocument, outcome: EditorOutcome): EditorDiagnostic[] {
  const places = new EditorPositions(document);
  if (outcome.kind === "config")
    return outcome.faults.map(({ range, message }) => toConfigDiagnostic(places.range(range), message));
  if (outcome.kind !== "linted") return [];
  return outcome.report.diagnostics.map((found) => toEditorDiagnostic(uri, places, found));
}
