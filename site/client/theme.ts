/** In the head of every page, so that it never shows in the wrong theme first. */
export {};

const { classList, dataset } = document.documentElement;
classList.add("js");
try {
  const chosen = localStorage.getItem("theme");
  if (chosen === "light" || chosen === "dark") dataset["theme"] = chosen;
} catch {
  // Without storage, the theme is that of the system.
}
