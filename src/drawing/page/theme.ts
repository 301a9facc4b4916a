import { find } from "./elements.js";

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
