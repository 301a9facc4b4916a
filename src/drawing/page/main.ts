/** The script of the page that `graph --format html` writes: it explains what is drawn, and changes nothing in it. */
import { find, startTheme } from "./elements.js";
import { choose, focusHeading, followHash, initialState, overview, showPanel } from "./panel.js";
import { closeRun } from "./player.js";
import { data, graph, mark, panel, player, scene, shapeAt, stage } from "./scene.js";
import { follow, reveal, wasDragged } from "./view.js";

const search = find<HTMLInputElement>("#search");
const undrawn = Object.values(data.undrawn);
let found: readonly string[] = [];
let at = -1;
const updateSearch = (): void => {
  const wanted = search.value.trim().toLowerCase();
  const isMatch = (name: string): boolean => wanted !== "" && name.toLowerCase().includes(wanted);
  found = data.states.flatMap(({ name, id }) => (isMatch(name) ? id : []));
  at = -1;
  mark("match", found);
  graph.classList.toggle("seeking", wanted !== "");
  const outside = undrawn.length === 0 ? "" : ` drawn, ${undrawn.filter(isMatch).length} not drawn`;
  find("#matches").textContent = wanted === "" ? "" : `${found.length} of ${data.states.length}${outside}`;
};
search.addEventListener("input", updateSearch);
search.addEventListener("keydown", ({ key, shiftKey }) => {
  if (key === "Escape") {
    search.value = "";
    updateSearch();
  }
  if (key !== "Enter" || found.length === 0) return;
  at = Math.max(0, (at + (shiftKey ? found.length - 1 : 1)) % found.length);
  choose(found[at] ?? "");
});

/** The state from which keyboard focus moved to the panel. */
let lastFocused: SVGElement | undefined;
find("#toggle").addEventListener("click", () => showPanel(panel.hidden));
scene.addEventListener("click", (event) => {
  const id = shapeAt(event)?.dataset["id"];
  if (id !== undefined && !wasDragged()) choose(id);
});
scene.addEventListener("keydown", (event) => {
  const shape = shapeAt(event);
  if (!shape || (event.key !== "Enter" && event.key !== " ")) return;
  event.preventDefault();
  choose(shape.dataset["id"] ?? "");
  lastFocused = shape;
  focusHeading();
});
// A click may have replaced the button that had the focus.
panel.addEventListener("click", () => {
  if (player.hidden && !panel.contains(document.activeElement)) focusHeading();
});
// On the stage, because Chromium makes an SVG element that listens for focus a tab stop.
stage.addEventListener("focusin", (event) => {
  const shape = shapeAt(event);
  if (shape?.matches(":focus-visible")) reveal(shape.dataset["id"] ?? "");
});
addEventListener("keydown", (event) => {
  if (event.key === "/" && !(event.target instanceof HTMLInputElement)) {
    event.preventDefault();
    search.focus();
  }
  if (event.key !== "Escape" || event.target === search) return;
  if (!player.hidden) return closeRun();
  const inPanel = panel.contains(document.activeElement);
  overview();
  if (inPanel && lastFocused) lastFocused.focus();
  else if (inPanel) focusHeading();
  lastFocused = undefined;
});
addEventListener("hashchange", followHash);

startTheme();
overview();
if (innerWidth <= 720) showPanel(false);
follow(initialState());
followHash();
