import { startSearch } from "./search.js";
import { byId } from "./create-element.js";

const systemIsDark = matchMedia("(prefers-color-scheme: dark)");
const themeButton = byId("theme");

function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme === undefined ? systemIsDark.matches : theme === "dark";
}

function showTheme(): void {
  themeButton.setAttribute("aria-pressed", String(isDark()));
  document.dispatchEvent(new Event("themechange"));
}

themeButton.addEventListener("click", () => {
  const theme = isDark() ? "light" : "dark";
  document.documentElement.dataset["theme"] = theme;
  try {
    localStorage.setItem("theme", theme);
  } catch {
    // It holds for this page only.
  }
  showTheme();
});
systemIsDark.addEventListener("change", showTheme);
showTheme();
startSearch();
