type Child = Node | string | false | undefined;

interface Options {
  readonly text?: string;
  readonly onClick?: () => void;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** Text from a pack becomes text only: there is no way to pass markup. */
export function createElement<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  { text, onClick, attributes = {} }: Options = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  if (onClick !== undefined) element.addEventListener("click", onClick);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.filter((child) => child !== false && child !== undefined));
  return element;
}

export function createButton(text: string, onClick: () => void, look = ""): HTMLButtonElement {
  return createElement("button", { text, onClick, attributes: { type: "button", class: look } });
}

/** An element that the page is known to have. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The page has no element "${id}".`);
  return element;
}
