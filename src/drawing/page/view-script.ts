/** Moving and zooming with mouse, touch and keyboard; searching; the theme. */
export const viewScript = `
const size = { width: Number(graph.dataset.width), height: Number(graph.dataset.height) };
const view = { x: 0, y: 0, scale: 1 };
// Until the reader moves the drawing, it follows the window.
let touched = false;
const show = (glide) => {
  scene.classList.toggle("glide", glide === true);
  scene.style.transform = "translate(" + view.x + "px," + view.y + "px) scale(" + view.scale + ")";
};
const bounded = (scale) => Math.min(4, Math.max(Math.min(0.2, fitting() / 2), scale));
const fitting = () => Math.min(stage.clientWidth / size.width, stage.clientHeight / size.height);
const fit = (glide) => {
  view.scale = Math.max(0.02, Math.min(1.25, fitting() * 0.97));
  view.x = (stage.clientWidth - size.width * view.scale) / 2;
  view.y = (stage.clientHeight - size.height * view.scale) / 2;
  touched = false;
  show(glide);
};
/** As much round a state as can be read. */
const beginAt = (id) => {
  const { x, y } = placeOf(shapes.get(id)[0]);
  view.scale = 0.85;
  view.x = stage.clientWidth / 2 - x * view.scale;
  view.y = stage.clientHeight / 3 - y * view.scale;
  touched = true;
  show();
};
const zoom = (factor, at) => {
  const point = at || { x: stage.clientWidth / 2, y: stage.clientHeight / 2 };
  const scale = bounded(view.scale * factor), change = scale / view.scale;
  view.x = point.x - (point.x - view.x) * change;
  view.y = point.y - (point.y - view.y) * change;
  view.scale = scale;
  touched = true;
  show(!at);
};
const move = (x, y) => { view.x += x; view.y += y; touched = true; show(); };
const placeOf = (shape) => {
  const [x, y] = shape.getAttribute("transform").match(/-?[0-9.]+/g).map(Number);
  return { x, y };
};
/** Brings a state into sight, and near enough to be read. */
const reveal = (id) => {
  const [shape] = shapes.get(id) || [];
  if (!shape) return;
  const { x, y } = placeOf(shape);
  touched = true;
  if (view.scale < 0.6) view.scale = 0.9;
  const left = x * view.scale + view.x, top = y * view.scale + view.y;
  const room = player.hidden ? 60 : 150;
  if (left > 90 && left < stage.clientWidth - 90 && top > 50 && top < stage.clientHeight - room) return show(true);
  view.x = stage.clientWidth / 2 - x * view.scale;
  view.y = (stage.clientHeight - (player.hidden ? 0 : 90)) / 2 - y * view.scale;
  show(true);
};

const pointers = new Map();
let moved = 0;
const local = (event) => {
  const { left, top } = stage.getBoundingClientRect();
  return { x: event.clientX - left, y: event.clientY - top };
};
stage.addEventListener("pointerdown", (event) => {
  if (player.contains(event.target) || event.button > 0) return;
  pointers.set(event.pointerId, local(event));
  if (pointers.size === 1) moved = 0;
});
stage.addEventListener("pointermove", (event) => {
  const before = pointers.get(event.pointerId);
  if (!before) return;
  const now = local(event);
  const [other] = [...pointers].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
  moved += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
  if (moved > 4 && !stage.hasPointerCapture(event.pointerId)) {
    stage.setPointerCapture(event.pointerId);
    stage.classList.add("drag");
  }
  pointers.set(event.pointerId, now);
  if (!other) return move(now.x - before.x, now.y - before.y);
  const apart = (point) => Math.hypot(point.x - other.x, point.y - other.y) || 1;
  const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
  zoom(apart(now) / apart(before), middle);
  move((now.x - before.x) / 2, (now.y - before.y) / 2);
});
for (const name of ["pointerup", "pointercancel"]) {
  stage.addEventListener(name, (event) => {
    pointers.delete(event.pointerId);
    if (pointers.size === 0) stage.classList.remove("drag");
  });
}
stage.addEventListener("wheel", (event) => {
  event.preventDefault();
  const turn = event.deltaMode === 1 ? event.deltaY * 20 : event.deltaY;
  zoom(Math.exp(-Math.max(-120, Math.min(120, turn)) / 400), local(event));
}, { passive: false });
stage.addEventListener("dblclick", (event) => {
  if (!event.target.closest(".node.state") && !player.contains(event.target)) zoom(1.5, local(event));
});

const keys = {
  ArrowLeft: () => move(60, 0), ArrowRight: () => move(-60, 0), ArrowUp: () => move(0, 60), ArrowDown: () => move(0, -60),
  "+": () => zoom(1.25), "=": () => zoom(1.25), "-": () => zoom(0.8), 0: () => fit(true),
};
stage.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || player.contains(event.target)) return;
  const act = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
  if (!act) return;
  event.preventDefault();
  act();
});
// The browser scrolls a focused state into sight by itself; we move the drawing instead.
stage.addEventListener("scroll", () => stage.scrollTo(0, 0));
$("in").addEventListener("click", () => zoom(1.25));
$("out").addEventListener("click", () => zoom(0.8));
$("fit").addEventListener("click", () => fit(true));
addEventListener("resize", () => { if (!touched) fit(); });

const search = $("search"), undrawn = Object.values(data.undrawn);
let found = [], at = -1;
search.addEventListener("input", () => {
  const wanted = search.value.trim().toLowerCase();
  const isMatch = (name) => wanted !== "" && name.toLowerCase().includes(wanted);
  found = data.states.filter(({ name }) => isMatch(name)).map(({ id }) => id);
  at = -1;
  mark("match", found);
  graph.classList.toggle("seeking", wanted !== "");
  const among = found.length + " of " + data.states.length;
  const outside = undrawn.length === 0 ? "" : " drawn, " + undrawn.filter(isMatch).length + " not drawn";
  $("matches").textContent = wanted === "" ? "" : among + outside;
});
search.addEventListener("keydown", (event) => {
  if (event.key === "Escape") { search.value = ""; search.dispatchEvent(new Event("input")); }
  if (event.key !== "Enter" || found.length === 0) return;
  at = (at + (event.shiftKey ? found.length - 1 : 1)) % found.length;
  choose(found[Math.max(0, at)]);
});

const dark = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (document.documentElement.dataset.theme || (dark.matches ? "dark" : "light")) === "dark";
const tellTheme = () => $("theme").setAttribute("aria-pressed", String(isDark()));
$("theme").addEventListener("click", () => {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  tellTheme();
});
dark.addEventListener("change", tellTheme);
`;
