import {
  ColorThemeKind,
  type Disposable,
  languages,
  type TextDocument,
  type Uri,
  ViewColumn,
  type WebviewPanel,
  window,
  workspace,
} from "vscode";

/** The page that draws a workflow, or null if the document has none. */
export type DrawingRequest = (uri: Uri) => Promise<string | null>;

/** The drawings beside the editor, one for each document, redrawn while it is edited. */
export class Drawings implements Disposable {
  private readonly drawings = new Map<string, Drawing>();
  private readonly listeners: readonly Disposable[];

  constructor(private readonly request: DrawingRequest) {
    this.listeners = [
      workspace.onDidChangeTextDocument(({ document }) => this.redrawSoon(document.uri)),
      languages.onDidChangeDiagnostics(({ uris }) => uris.forEach((uri) => this.redrawSoon(uri))),
      window.onDidChangeActiveColorTheme(() => this.drawings.forEach((drawing) => drawing.show())),
    ];
  }

  async draw({ uri }: TextDocument): Promise<void> {
    const open = this.drawings.get(uri.toString());
    if (open !== undefined) return open.reveal();
    const page = await this.request(uri);
    if (page === null) {
      // Without its name: a notification makes links of Markdown, and a link may run a command.
      void window.showInformationMessage("There is no workflow to draw in this file.");
      return;
    }
    const drawing = new Drawing(workspace.asRelativePath(uri), page, () => this.request(uri));
    this.drawings.set(uri.toString(), drawing);
    drawing.onClose(() => this.drawings.delete(uri.toString()));
  }

  dispose(): void {
    for (const listener of this.listeners) listener.dispose();
    for (const drawing of this.drawings.values()) drawing.close();
  }

  private redrawSoon(uri: Uri): void {
    this.drawings.get(uri.toString())?.redrawSoon();
  }
}

/** In milliseconds. */
const pauseInTyping = 300;

class Drawing {
  private readonly panel: WebviewPanel;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    name: string,
    private page: string,
    private readonly request: () => Promise<string | null>,
  ) {
    this.panel = window.createWebviewPanel(
      "promptpack.drawing",
      `Workflow of ${name}`,
      { viewColumn: ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, localResourceRoots: [], retainContextWhenHidden: true },
    );
    this.show();
  }

  onClose(forget: () => void): void {
    this.panel.onDidDispose(() => {
      this.isClosed = true;
      clearTimeout(this.timer);
      forget();
    });
  }

  reveal(): void {
    this.panel.reveal(undefined, true);
  }

  close(): void {
    this.panel.dispose();
  }

  show(): void {
    this.panel.webview.html = adaptPage(this.page);
  }

  redrawSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.redraw(), pauseInTyping);
  }

  /** A text that is half typed keeps the last drawing. A page that is the same keeps its zoom and selection. */
  private async redraw(): Promise<void> {
    const page = await this.request().catch(() => null);
    if (page === null || page === this.page || this.isClosed) return;
    this.page = page;
    this.show();
  }
}

/**
 * The page with the theme of the editor, and without the margin that VS Code adds. The style comes before the page's
 * content security policy, which allows only the page's own script and style. All places come before any text of the pack.
 */
function adaptPage(page: string): string {
  const { kind } = window.activeColorTheme;
  const isLight = kind === ColorThemeKind.Light || kind === ColorThemeKind.HighContrastLight;
  return page
    .replace('<html lang="en">', `<html lang="en" data-theme="${isLight ? "light" : "dark"}">`)
    .replace("<head>", "<head><style>body{padding:0}</style>")
    .replace('<button type="button" id="theme"', '<button type="button" id="theme" hidden');
}
