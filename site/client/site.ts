import { startTheme } from "../../src/drawing/page/elements.js";
import { startSearch } from "./search.js";

startTheme((chosen) => {
  try {
    if (chosen !== undefined) localStorage.setItem("theme", chosen);
  } catch {
    // It holds for this page only.
  }
  document.dispatchEvent(new Event("themechange"));
});
startSearch();
