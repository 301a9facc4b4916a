/** Moving and zooming with mouse, touch and keyboard; searching; the theme. */
const viewScript = `
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

/** The panel: every finding and run, or one state with what it does and what was found there. */
const panelScript = `
const places = (nodes) => nodes.slice(0, 4).map((id) => stateOf.get(id)).filter(Boolean);
const card = (finding) => {
  const actions = make("div", { class: "actions" },
    ...places(finding.nodes).map((state) => button(state.name, () => choose(state.id))),
    finding.run === undefined ? "" : button("Play the run", () => open(finding.run), "small main"));
  return make("li", { class: "card " + finding.severity },
    make("div", { class: "head" },
      make("span", {}, make("span", { class: "severity", text: finding.severity }), " " + finding.rule),
      make("span", { class: "line", text: "line " + finding.line })),
    make("p", { text: finding.message }),
    actions);
};
const section = (title, content, name) => [make("h3", { text: title }, name && make("span", { class: "given", text: " " + name })), content];
const heading = (text) => make("h2", { text, tabindex: "-1" });
const read = () => { const title = panel.querySelector("h2"); if (title) title.focus({ preventScroll: true }); };
const fill = (...children) => { panel.replaceChildren(...children.flat().filter(Boolean)); panel.scrollTop = 0; };

const rank = { error: 0, warning: 1, info: 2 };
const gravest = [...data.findings].sort((a, b) => rank[a.severity] - rank[b.severity]);
const overview = () => {
  mark("chosen", []);
  const { findings, runs, paints } = data;
  const list = make("ul", {}, ...gravest.map(card));
  fill(
    !data.plain && heading(findings.length === 0 ? "No findings" : "Findings"),
    data.note && make("p", { class: "muted", text: data.note }),
    list,
    data.unlisted > 0 && make("p", { class: "muted", text: "and " + data.unlisted + " more" }),
    runs.length > 0 && section("Runs", make("ul", { class: "rows" }, ...runs.map((run, index) =>
      make("li", {}, button(run.title, () => open(index), "link"),
        make("span", { class: "line", text: run.steps.length + run.cut + (run.steps.length === 1 ? " step" : " steps") }))))),
    paints.length > 0 && section("Colours", make("ul", { class: "swatches" }, ...paints.map(([paint, words]) =>
      make("li", {}, make("span", { class: "chip " + paint }), words)))),
    section("Keys", make("p", { class: "muted", text: "Tab and Enter open a state, / searches, Esc goes back; arrows, + − and 0 move the drawing." })),
  );
};

const tagsOf = (state) => [...state.starts, state.ends && "ends the run", state.decider, state.guard].filter(Boolean);
const choose = (id) => {
  const state = stateOf.get(id);
  if (!state) return;
  mark("chosen", [id]);
  unfold(true);
  reveal(id);
  const { prompt, events = [], artifacts = [] } = state;
  fill(
    button(data.plain ? "← Overview" : "← All findings", () => { overview(); }, "link"),
    heading(state.name),
    make("p", { class: "line", text: "line " + state.line }),
    tagsOf(state).length > 0 && make("p", { class: "tags" }, ...tagsOf(state).map((text) => make("span", { class: "tag", text }))),
    state.findings.length > 0 && section("Findings", make("ul", {}, ...state.findings.map((index) => card(data.findings[index])))),
    prompt && section("Prompt", make("pre", {
      text: prompt.known ? (prompt.text || "(no template)") + (prompt.cut ? "\\n…" : "") : "No prompt has this name.",
    }), prompt.task),
    events.length > 0 && section("Events", make("ul", { class: "rows" }, ...events.map(({ event, to, id: target, line }) =>
      make("li", {}, make("span", {}, event + " → ", stateOf.has(target) ? button(to, () => choose(target), "link") : to),
        make("span", { class: "line", text: "line " + line }))))),
    artifacts.length > 0 && section("Artifacts", make("ul", { class: "rows" }, ...artifacts.map(({ name, about }) =>
      make("li", {}, name, make("span", { class: "line", text: about }))))),
  );
};

/** The state in the drawing from which the keyboard came to the panel. */
let left;
const unfold = (wanted) => {
  panel.hidden = !wanted;
  $("toggle").setAttribute("aria-expanded", String(wanted));
};
$("toggle").addEventListener("click", () => { unfold(panel.hidden); if (!touched) fit(); });
scene.addEventListener("click", (event) => {
  const shape = event.target.closest(".node.state");
  if (shape && moved <= 4) choose(shape.dataset.id);
});
scene.addEventListener("keydown", (event) => {
  const shape = event.target.closest(".node.state");
  if (!shape || (event.key !== "Enter" && event.key !== " ")) return;
  event.preventDefault();
  choose(shape.dataset.id);
  left = shape;
  read();
});
// What was pressed may be gone with what the panel showed.
panel.addEventListener("click", () => { if (player.hidden && !panel.contains(document.activeElement)) read(); });
// On the stage: Chromium lets Tab stop at an SVG element that listens for focus.
stage.addEventListener("focusin", (event) => {
  const shape = event.target.closest(".node.state");
  if (shape && shape.matches(":focus-visible")) reveal(shape.dataset.id);
});
addEventListener("keydown", (event) => {
  if (event.key === "/" && event.target.tagName !== "INPUT") { event.preventDefault(); search.focus(); }
  if (event.key !== "Escape" || event.target === search) return;
  if (!player.hidden) return close();
  const isRead = panel.contains(document.activeElement);
  overview();
  if (isRead && left) left.focus(); else if (isRead) read();
  left = undefined;
});
`;

/** Plays a run, step by step or by itself. */
const playerScript = `
let run, taken = 0, timer, opener;
const nameOf = (id) => stateOf.has(id) ? stateOf.get(id).name : data.undrawn[id] + " (not drawn)";
const goesRound = () => run.loopFrom !== undefined && run.cut === 0;
const atEnd = () => taken === run.steps.length && !goesRound();
/** How often the loop was begun after so many steps, and which of the written steps the last of them is. */
const lapOf = (steps) => steps <= run.loopFrom || !goesRound() ? 0 : Math.ceil((steps - run.loopFrom) / (run.steps.length - run.loopFrom));
const written = (steps) => lapOf(steps) < 2 ? steps : steps - (lapOf(steps) - 1) * (run.steps.length - run.loopFrom);
const placeAfter = (steps) => steps === 0 ? run.start : run.steps[written(steps) - 1].to;
const draw = () => {
  const step = taken === 0 ? undefined : run.steps[written(taken) - 1];
  const current = placeAfter(taken);
  mark("now", [current, ...(step ? step.edges : [])]);
  mark("via", step ? step.forced : []);
  const way = step
    ? "─" + step.event + "→ " + [...step.forced, step.to].map(nameOf).join(" ⇒ ")
    : "starts in " + nameOf(current);
  const visits = Array.from({ length: taken + 1 }, (_, steps) => placeAfter(steps)).filter((id) => id === current).length;
  const end = taken < run.steps.length ? "" : run.cut > 0 ? " · " + run.cut + " more steps" : "";
  $("where").textContent = (step ? written(taken) : 0) + " of " + run.steps.length + " · " + way + " · visit " + visits +
    (lapOf(taken) > 0 ? " · ↻ lap " + lapOf(taken) : "") + (step && step.forced.length > 0 ? " · forced exit" : "") + end;
  $("back").disabled = taken === 0;
  $("step").disabled = atEnd();
  reveal(current);
};
const pause = () => { clearInterval(timer); timer = undefined; $("play").textContent = "Play"; };
const forward = () => {
  if (atEnd()) return pause();
  taken++;
  draw();
};
const open = (index) => {
  pause();
  if (player.hidden || panel.contains(document.activeElement)) opener = document.activeElement;
  run = data.runs[index];
  taken = 0;
  player.hidden = false;
  graph.classList.add("playing");
  draw();
  $("play").focus();
};
const close = () => {
  pause();
  player.hidden = true;
  graph.classList.remove("playing");
  mark("now", []);
  mark("via", []);
  (opener && opener.isConnected ? opener : stage).focus();
};
$("play").addEventListener("click", () => {
  if (timer !== undefined) return pause();
  if (atEnd()) taken = 0;
  $("play").textContent = "Pause";
  forward();
  timer = setInterval(forward, 900);
});
$("step").addEventListener("click", () => { pause(); forward(); });
$("back").addEventListener("click", () => { pause(); if (taken > 0) taken--; draw(); });
$("restart").addEventListener("click", () => { pause(); taken = 0; draw(); });
$("stop").addEventListener("click", close);

/** Of a drawing too large to be read as a whole: an entry, or where the gravest finding is. */
const first = () => data.states.find(({ starts }) => starts.length > 0) || gravest.flatMap(({ nodes }) => places(nodes))[0];
const start = () => {
  tellTheme();
  overview();
  if (innerWidth <= 720) unfold(false);
  const place = fitting() < 0.4 ? first() : undefined;
  if (place) beginAt(place.id); else fit();
};
`;

/** What the parts share. Every text of the pack reaches the page through `textContent`. */
const sharedScript = `
const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const stage = $("stage"), panel = $("panel"), player = $("player");
const graph = stage.querySelector("svg"), scene = graph.querySelector(".scene");
const stateOf = new Map(data.states.map((state) => [state.id, state]));
const shapes = new Map();
for (const shape of scene.querySelectorAll("[data-id],[data-label]")) {
  const id = shape.dataset.id || shape.dataset.label;
  shapes.set(id, [...(shapes.get(id) || []), shape]);
}
const mark = (name, ids) => {
  for (const shape of scene.querySelectorAll("." + name)) shape.classList.remove(name);
  for (const id of ids) for (const shape of shapes.get(id) || []) shape.classList.add(name);
};
const make = (tag, options, ...children) => {
  const element = document.createElement(tag);
  const { text, act, ...attributes } = options || {};
  if (text !== undefined) element.textContent = text;
  if (act) element.addEventListener("click", act);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.filter(Boolean));
  return element;
};
const button = (text, act, look) => make("button", { type: "button", text, act, class: look || "small" });
`;

/** The page's own script, a string because it runs elsewhere: plain, and without any library. */
export const pageScript = `"use strict";(() => {${sharedScript}${viewScript}${panelScript}${playerScript}
start();
})();`;
