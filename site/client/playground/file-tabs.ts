import { element } from "../../../src/drawing/page/elements.js";
import { escapeInvisible } from "../../../src/text/escape.js";
import type { LintView } from "../worker/protocol.js";
import type { Editor } from "./editor.js";
import { moveBetween } from "./tabs.js";

type Checked = Pick<LintView, "findings" | "missing">;

/** A tab for each file of a project, above the editor; none for a pack. */
export class FileTabs {
  private tabs: readonly HTMLButtonElement[] = [];
  private names: readonly string[] = [];
  private checked: Checked = { findings: [], missing: [] };

  constructor(
    private readonly host: HTMLElement,
    private readonly panel: HTMLElement,
    private readonly choose: (name: string) => void,
  ) {}

  /** Without `checked`, the findings are those that it showed before. */
  show({ names, shownName }: Pick<Editor, "names" | "shownName">, checked = this.checked): void {
    this.checked = checked;
    if (names.join("\0") !== this.names.join("\0")) this.build(names);
    this.host.hidden = names.length < 2;
    for (const [index, tab] of this.tabs.entries()) {
      const name = names[index] ?? "";
      const isShown = name === shownName;
      tab.replaceChildren(...this.label(name));
      tab.setAttribute("aria-selected", String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
      if (isShown && tab !== document.activeElement)
        tab.scrollIntoView({ block: "nearest", inline: "nearest" });
      if (isShown) this.panel.setAttribute("aria-labelledby", tab.id);
    }
    if (!this.host.hidden) this.panel.setAttribute("role", "tabpanel");
    else for (const name of ["role", "aria-labelledby"]) this.panel.removeAttribute(name);
  }

  private build(names: readonly string[]): void {
    const focused = this.names[this.tabs.findIndex((tab) => tab === document.activeElement)];
    this.names = names;
    this.tabs = names.map((name, index) => {
      const tab = element("button", {
        type: "button",
        role: "tab",
        id: `file-${index}`,
        "aria-controls": this.panel.id,
        click: () => this.choose(name),
      });
      tab.addEventListener("keydown", (event) => moveBetween(this.tabs, event));
      return tab;
    });
    this.host.replaceChildren(...this.tabs);
    if (focused !== undefined) this.tabs[names.indexOf(focused)]?.focus();
  }

  /** The name, and how many findings the file has, in the colour of the worst. */
  private label(name: string): readonly (HTMLElement | string)[] {
    const shown = element("span", {}, name === "" ? "head" : escapeInvisible(name));
    if (this.checked.missing.includes(name))
      return [element("span", "missing", shown, element("span", "unseen", ", missing"))];
    const own = this.checked.findings.filter(({ file }) => file === name);
    const [worst] = own;
    if (worst === undefined) return [shown];
    const unit = element("span", "unseen", own.length === 1 ? " finding" : " findings");
    return [shown, " ", element("span", `count ${worst.severity}`, String(own.length), unit)];
  }
}
