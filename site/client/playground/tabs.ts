/** On a narrow screen, each is a tab; on a wide one, the first two are always shown. */
export type View = "editor" | "findings" | "drawing" | "simulator";

const narrow = matchMedia("(max-width: 860px)");

export class Tabs {
  private view: View = "editor";
  private side: View = "drawing";
  private readonly tabs: readonly HTMLElement[];

  constructor(
    private readonly page: HTMLElement,
    private readonly onShow: () => void,
  ) {
    this.tabs = [...page.querySelectorAll<HTMLElement>("[role=tab]")];
    for (const tab of this.tabs) {
      tab.addEventListener("click", () => this.show(viewOf(tab)));
      tab.addEventListener("keydown", (event) => moveBetween(this.tabs, event));
    }
    narrow.addEventListener("change", () => this.render());
    this.render();
  }

  isShown(view: View): boolean {
    return this.shown === view;
  }

  show(view: View): void {
    this.view = view;
    if (view === "drawing" || view === "simulator") this.side = view;
    this.render();
  }

  private get shown(): View {
    return narrow.matches ? this.view : this.side;
  }

  private render(): void {
    this.page.dataset["shown"] = this.shown;
    for (const tab of this.tabs) {
      const isChosen = this.isShown(viewOf(tab));
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
    }
    this.onShow();
  }
}

/** The arrow keys choose the next tab. */
export function moveBetween(tabs: readonly HTMLElement[], event: KeyboardEvent): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const visible = tabs.filter((tab) => tab.offsetParent !== null);
  const at = visible.findIndex((tab) => tab === event.currentTarget);
  const next = visible.at((at + step) % visible.length);
  next?.focus();
  next?.click();
}

function viewOf({ dataset }: HTMLElement): View {
  return dataset["view"] as View;
}
