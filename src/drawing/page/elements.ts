export type Child = Node | string | false | undefined;
type Attributes = Readonly<Record<string, string | ((event: Event) => void)>>;

/** Children are inserted as text, never as markup. A string as `attributes` is the class. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: string | Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  const all = typeof attributes === "string" ? { class: attributes } : attributes;
  for (const [name, value] of Object.entries(all)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== false && child !== undefined));
  return made;
}

export function button(text: string, click: () => void, look = ""): HTMLButtonElement {
  return element("button", { type: "button", class: look, click }, text);
}

export function find<Kind extends Element = HTMLElement>(selector: string): Kind {
  const found = document.querySelector<Kind>(selector);
  if (found === null) throw new Error(`The page has no element "${selector}".`);
  return found;
}

/** Light or dark as the system is, until the reader chooses with the button, which is pressed while the page is dark. */
export function startTheme(onChange?: (chosen?: "light" | "dark") => void): void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const { dataset } = document.documentElement;
  const isDark = (): boolean => (dataset["theme"] ?? (system.matches ? "dark" : "light")) === "dark";
  const button = find("#theme");
  const update = (chosen?: "light" | "dark"): void => {
    if (chosen !== undefined) dataset["theme"] = chosen;
    button.setAttribute("aria-pressed", String(isDark()));
    onChange?.(chosen);
  };
  button.addEventListener("click", () => update(isDark() ? "light" : "dark"));
  system.addEventListener("change", () => update());
  update();
}
