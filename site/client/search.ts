import MiniSearch from "minisearch";
import searchOptions from "./search-options.json" with { type: "json" };
import { element, find } from "../../src/drawing/page/elements.js";

interface Entry {
  readonly title: string;
  readonly heading: string;
  readonly about: string;
  /** Relative to the root of the site. */
  readonly address: string;
}

const maxResults = 12;

export function startSearch(): void {
  const input = find<HTMLInputElement>("#search");
  const list = find("#results");
  const status = find("#result-count");
  const { root = "", index = "" } = find("#search-form").dataset;
  let found: Promise<MiniSearch<Entry>> | undefined;

  const show = async (): Promise<void> => {
    const wanted = input.value.trim();
    const search = await (found ??= loadIndex(index));
    // A later key may have been pressed while the index was loading.
    if (wanted !== input.value.trim()) return;
    const entries =
      wanted === "" ? [] : (search.search(wanted, { boostDocument }) as unknown as readonly Entry[]);
    list.replaceChildren(...entries.slice(0, maxResults).map((entry) => resultItem(entry, root)));
    status.textContent =
      wanted === "" ? "" : entries.length === 0 ? "Nothing found." : countText(entries.length);
    find("#search-panel").hidden = wanted === "";
  };

  input.addEventListener("focus", () => void (found ??= loadIndex(index)));
  input.addEventListener("input", () => void show());
  input.form?.addEventListener("submit", (event) => {
    event.preventDefault();
    list.querySelector("a")?.click();
  });
  find("#search-form").addEventListener("keydown", (event) => moveFocus(event, input, list));
  document.addEventListener("keydown", (event) => {
    const { target } = event;
    const isTyping = target instanceof HTMLElement && target.matches("input, select, #editor");
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Node && !find("#search-form").contains(target)) find("#search-panel").hidden = true;
  });
}

/** A page counts more than its sections. */
function boostDocument(_id: unknown, _term: string, stored?: Record<string, unknown>): number {
  return stored?.["heading"] === "" ? 2 : 1;
}

function countText(count: number): string {
  if (count > maxResults) return `The first ${maxResults} of ${count} results`;
  return count === 1 ? "1 result" : `${count} results`;
}

function resultItem({ title, heading, about, address }: Entry, root: string): HTMLLIElement {
  const name = heading === "" ? title : `${title} › ${heading}`;
  return element(
    "li",
    {},
    element("a", { href: root + address }, element("b", {}, name), element("span", {}, about)),
  );
}

/** The arrow keys walk through the results; Escape closes them. */
function moveFocus(event: KeyboardEvent, input: HTMLInputElement, list: HTMLElement): void {
  const stops: readonly HTMLElement[] = [input, ...list.querySelectorAll("a")];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step !== undefined) {
    event.preventDefault();
    stops[Math.min(Math.max(at + step, 0), stops.length - 1)]?.focus();
  } else if (event.key === "Escape") {
    input.value = "";
    find("#search-panel").hidden = true;
    input.focus();
  }
}

/** As a script, because a page that was opened as a file cannot fetch one. */
function loadIndex(address: string): Promise<MiniSearch<Entry>> {
  return new Promise((resolve, reject) => {
    const script = element("script", { src: address });
    script.addEventListener("load", () => {
      const { searchIndex } = globalThis as unknown as {
        searchIndex: Parameters<typeof MiniSearch.loadJS>[0];
      };
      resolve(MiniSearch.loadJS<Entry>(searchIndex, searchOptions as never));
    });
    script.addEventListener("error", () => reject(new Error(`${address} could not be loaded.`)));
    document.head.append(script);
  });
}
