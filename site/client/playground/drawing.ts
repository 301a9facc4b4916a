import { element } from "../../../src/drawing/page/elements.js";
import type { DrawingView } from "../worker/protocol.js";

/** The page of `promptpack graph --format html`, in a frame that may run its script and nothing else. */
export class Drawing {
  private page = "";
  private frame: HTMLIFrameElement | undefined;

  constructor(
    private readonly host: HTMLElement,
    private readonly note: HTMLElement,
  ) {
    document.addEventListener("themechange", () => this.load());
  }

  show(view: DrawingView): void {
    if ("missing" in view) {
      this.showNote(this.page === "" ? view.missing : `${view.missing} This is the last drawing.`);
      return;
    }
    this.showNote("");
    if (view.page === this.page) return;
    this.page = view.page;
    this.load();
  }

  clear(): void {
    this.page = "";
    this.frame?.remove();
    this.frame = undefined;
  }

  showNote(sentence: string): void {
    this.note.textContent = sentence;
    this.note.hidden = sentence === "";
  }

  /** The old frame stays until the new one can be seen, so that nothing flickers. */
  private load(): void {
    if (this.page === "") return;
    const old = this.frame;
    const frame = element("iframe", {
      sandbox: "allow-scripts",
      title: "The drawing of the workflow",
      srcdoc: themed(this.page),
    });
    frame.addEventListener("load", () => old?.remove());
    this.frame = frame;
    this.host.append(frame);
  }
}

/** The site has a button for the theme already. Both places come before any text of the pack. */
function themed(page: string): string {
  const { theme } = document.documentElement.dataset;
  const chosen = theme === undefined ? "" : ` data-theme="${theme}"`;
  return page
    .replace('<html lang="en">', `<html lang="en"${chosen}>`)
    .replace('<button type="button" id="theme"', '<button type="button" id="theme" hidden');
}
