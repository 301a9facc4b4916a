/** Shared by the parts below. All text from the pack is inserted through `textContent`. */
const sharedScript = `
const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const stage = $("stage"), panel = $("panel"), player = $("player"), legend = $("legend");
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
const createElement = (tag, options, ...children) => {
  const element = document.createElement(tag);
  const { text, act, ...attributes } = options || {};
  if (text !== undefined) element.textContent = text;
  if (act) element.addEventListener("click", act);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.filter(Boolean));
  return element;
};
const button = (text, act, look) => createElement("button", { type: "button", text, act, class: look || "small" });
`;

/** Panning and zooming with mouse, touch and keyboard; search; the theme. */
const viewScript = `
const size = { width: Number(graph.dataset.width), height: Number(graph.dataset.height) };
const view = { x: 0, y: 0, scale: 1 };
// Until the reader moves the drawing, it follows the window.
let hasMoved = false;
const show = (glide) => {
  scene.classList.toggle("glide", glide === true);
  scene.style.transform = "translate(" + view.x + "px," + view.y + "px) scale(" + view.scale + ")";
};
const clampScale = (scale) => Math.min(4, Math.max(Math.min(0.2, fitting() / 2), scale));
const fitting = () => Math.min(stage.clientWidth / size.width, stage.clientHeight / size.height);
const fit = (glide) => {
  view.scale = Math.max(0.02, Math.min(1.25, fitting() * 0.97));
  view.x = (stage.clientWidth - size.width * view.scale) / 2;
  view.y = (stage.clientHeight - size.height * view.scale) / 2;
  hasMoved = false;
  show(glide);
};
/** Shows a state and its surroundings at a readable size. */
const centerOn = (id) => {
  const { x, y } = placeOf(shapes.get(id)[0]);
  view.scale = 0.85;
  view.x = stage.clientWidth / 2 - x * view.scale;
  view.y = stage.clientHeight / 3 - y * view.scale;
  show();
};
const zoom = (factor, at) => {
  const point = at || { x: stage.clientWidth / 2, y: stage.clientHeight / 2 };
  const scale = clampScale(view.scale * factor), change = scale / view.scale;
  view.x = point.x - (point.x - view.x) * change;
  view.y = point.y - (point.y - view.y) * change;
  view.scale = scale;
  hasMoved = true;
  show(!at);
};
const move = (x, y) => { view.x += x; view.y += y; hasMoved = true; show(); };
const placeOf = (shape) => {
  const [x, y] = shape.getAttribute("transform").match(/-?[0-9.]+/g).map(Number);
  return { x, y };
};
/** Scrolls a state into view, at a readable size. */
const reveal = (id) => {
  const [shape] = shapes.get(id) || [];
  if (!shape) return;
  const { x, y } = placeOf(shape);
  hasMoved = true;
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
// The browser scrolls to a focused state by itself; the drawing moves instead.
stage.addEventListener("scroll", () => stage.scrollTo(0, 0));
$("in").addEventListener("click", () => zoom(1.25));
$("out").addEventListener("click", () => zoom(0.8));
$("fit").addEventListener("click", () => fit(true));

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
const updateThemeButton = () => $("theme").setAttribute("aria-pressed", String(isDark()));
$("theme").addEventListener("click", () => {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  updateThemeButton();
});
dark.addEventListener("change", updateThemeButton);
`;

/** The panel: all findings and runs, or one state with its details and findings. */
const panelScript = `
const statesOf = (nodes) => nodes.slice(0, 4).map((id) => stateOf.get(id)).filter(Boolean);
const lineOf = ({ line, isOld }) => (isOld ? "old version, line " : "line ") + line;
/** A link to a part of the page. A frame without an address of its own could not follow it, so a click acts. */
const link = (text, hash, act) => createElement("a", { text, href: "#" + hash, act: (event) => { event.preventDefault(); act(); } });
const stateHash = ({ name }) => "state=" + encodeURIComponent(name);
const byKey = new Map();
data.findings.forEach((finding, index) => {
  const place = finding.rule + ":" + finding.line, number = String(index + 1);
  finding.key = byKey.has(place) ? number : place;
  byKey.set(number, finding).set(finding.key, finding);
});
const card = (finding) => {
  const actions = createElement("div", { class: "actions" },
    ...statesOf(finding.nodes).map((state) => button(state.name, () => choose(state.id))),
    finding.run === undefined ? "" : button("Play the run", () => open(finding.run), "small main"));
  const { rule, docs } = finding;
  const act = ({ target }) => { if (!target.closest("a,button")) chooseFinding(finding); };
  return createElement("li", { class: "card " + finding.severity, "data-key": finding.key, act },
    createElement("div", { class: "head" },
      createElement("span", {}, createElement("span", { class: "severity", text: finding.severity }), " ",
        docs ? createElement("a", { text: rule, href: docs, target: "_blank", rel: "noreferrer" }) : rule),
      createElement("span", { class: "line" }, link(lineOf(finding), "finding=" + finding.key, () => chooseFinding(finding)))),
    createElement("p", { text: finding.message }),
    actions);
};
const section = (title, content, name) => [createElement("h3", { text: title }, name && createElement("span", { class: "given", text: " " + name })), content];
const heading = (text) => createElement("h2", { text, tabindex: "-1" });
const focusHeading = () => { const title = panel.querySelector("h2"); if (title) title.focus({ preventScroll: true }); };
const fill = (...children) => { panel.replaceChildren(...children.flat().filter(Boolean)); panel.scrollTop = 0; };

const things = data.noun + "s", titleOf = (word) => word[0].toUpperCase() + word.slice(1);
const rank = { error: 0, warning: 1, info: 2 };
const bySeverity = [...data.findings].sort((a, b) => rank[a.severity] - rank[b.severity]);
const counts = Object.keys(rank).map((severity) => [severity, data.findings.filter((finding) => finding.severity === severity).length])
  .filter(([, count]) => count > 0);
const filter = ([severity, count]) => createElement("button", {
  type: "button", class: "small", text: count + " " + severity + (count === 1 ? "" : "s"),
  "aria-pressed": String(!panel.classList.contains("no-" + severity)),
  act: ({ currentTarget }) => currentTarget.setAttribute("aria-pressed", String(!panel.classList.toggle("no-" + severity))),
});
const overview = () => { showAll(); setHash(""); };
const showAll = () => {
  mark("chosen", []);
  const { findings, runs } = data;
  const list = createElement("ul", { class: "all" }, ...bySeverity.map(card));
  fill(
    !data.plain && heading(findings.length === 0 ? "No " + things : titleOf(things)),
    data.note && createElement("p", { class: "muted", text: data.note }),
    counts.length > 1 && createElement("div", { class: "filters", role: "group", "aria-label": "Show" }, ...counts.map(filter)),
    list,
    data.unlisted > 0 && createElement("p", { class: "muted", text: "and " + data.unlisted + " more" }),
    legend,
    runs.length > 0 && section("Runs", createElement("ul", { class: "rows" }, ...runs.map((run, index) =>
      createElement("li", {}, button(run.title, () => open(index), "link"),
        createElement("span", { class: "line", text: run.steps.length + run.cut + (run.steps.length === 1 ? " step" : " steps") }))))),
    section("Keys", createElement("p", { class: "muted", text: "Tab and Enter open a state, / searches, Esc goes back; arrows, + − and 0 move the drawing." })),
  );
};

const compositions = new Map(data.compositions.map((composition) => [composition.id, composition]));
const stepItem = (step, items) => {
  const target = (word, name) => name !== undefined && createElement("div", { text: word + " → " },
    items.has(name) ? button(name, () => items.get(name).focus(), "link") : name);
  const row = (text) => text && createElement("div", { class: "muted", text });
  const tag = (text) => createElement("span", { class: "tag", text });
  return createElement("li", { tabindex: "-1" },
    createElement("div", { class: "step" }, createElement("b", { text: step.name }), tag(step.kind), step.result && tag("result"),
      createElement("span", { class: "line", text: "line " + step.line })),
    row(step.about), row(step.after && "after " + step.after), target("then", step.then), target("else", step.else),
    step.branches.length > 0 && createElement("ul", { class: "inside" }, ...step.branches.map((branch) => stepItem(branch, items))));
};
const compositionSection = ({ id, name }) => {
  const { steps, more } = compositions.get(id) || {};
  if (!steps) return section("Composition", createElement("p", { text: "No composition has this name." }), name);
  const items = new Map(steps.map((step) => [step.name, undefined]));
  const list = createElement("ol", {}, ...steps.map((step) => {
    const item = stepItem(step, items);
    if (!items.get(step.name)) items.set(step.name, item);
    return item;
  }));
  return [...section("Composition", list, name), more > 0 && createElement("p", { class: "muted", text: "and " + more + " more" })];
};

const tagsOf = (state) => [...state.starts, state.ends && "ends the run", state.decider, state.guard].filter(Boolean);
const choose = (id) => {
  const state = stateOf.get(id);
  if (!state) return;
  mark("chosen", [id]);
  setHash(stateHash(state));
  showPanel(true);
  reveal(id);
  const { prompt, composition, events = [], artifacts = [] } = state;
  fill(
    button(data.plain ? "← Overview" : "← All " + things, overview, "link"),
    heading(state.name),
    createElement("p", { class: "line" }, link(lineOf(state), stateHash(state), () => choose(id))),
    tagsOf(state).length > 0 && createElement("p", { class: "tags" }, ...tagsOf(state).map((text) => createElement("span", { class: "tag", text }))),
    state.findings.length > 0 && section(titleOf(things), createElement("ul", {}, ...state.findings.map((index) => card(data.findings[index])))),
    prompt && section("Prompt", createElement("pre", {
      text: prompt.known ? (prompt.text || "(no template)") + (prompt.cut ? "\\n…" : "") : "No prompt has this name.",
    }), prompt.task),
    ...(composition ? compositionSection(composition) : []),
    events.length > 0 && section("Events", createElement("ul", { class: "rows" }, ...events.map(({ event, to, id: target, line }) =>
      createElement("li", {}, createElement("span", {}, event + " → ", stateOf.has(target) ? button(to, () => choose(target), "link") : to),
        createElement("span", { class: "line", text: "line " + line }))))),
    artifacts.length > 0 && section("Artifacts", createElement("ul", { class: "rows" }, ...artifacts.map(({ name, about }) =>
      createElement("li", {}, name, createElement("span", { class: "line", text: about }))))),
  );
};

/** Shows the states of a finding, and its card in the panel as it is, or in the list of all. */
const chooseFinding = (finding) => {
  const cards = () => [...panel.querySelectorAll(".card")];
  const isOwn = (item) => item.dataset.key === finding.key;
  const hidden = "no-" + finding.severity;
  if (!cards().some(isOwn) || panel.classList.contains(hidden)) {
    panel.classList.remove(hidden);
    showAll();
  }
  for (const item of cards()) item.classList.toggle("chosen", isOwn(item));
  const shown = statesOf(finding.nodes);
  mark("chosen", shown.map(({ id }) => id));
  setHash("finding=" + finding.key);
  showPanel(true);
  cards().find(isOwn).scrollIntoView({ block: "nearest" });
  if (shown[0]) reveal(shown[0].id);
};

/** Keeps the selection in the address, so that it can be linked to. */
let shownHash = "";
const setHash = (hash) => { if (hash !== shownHash) location.hash = shownHash = hash; };
const followHash = () => {
  const hash = location.hash.slice(1);
  if (hash === shownHash) return;
  const wanted = new URLSearchParams(hash), name = wanted.get("state"), finding = byKey.get(wanted.get("finding"));
  const state = name !== null && data.states.find((each) => each.name === name);
  shownHash = hash;
  if (state) choose(state.id); else if (finding) chooseFinding(finding); else overview();
};
addEventListener("hashchange", followHash);

/** The state from which keyboard focus moved to the panel. */
let lastFocused;
const showPanel = (wanted) => {
  panel.hidden = !wanted;
  $("toggle").setAttribute("aria-expanded", String(wanted));
};
$("toggle").addEventListener("click", () => showPanel(panel.hidden));
scene.addEventListener("click", (event) => {
  const shape = event.target.closest(".node.state");
  if (shape && moved <= 4) choose(shape.dataset.id);
});
scene.addEventListener("keydown", (event) => {
  const shape = event.target.closest(".node.state");
  if (!shape || (event.key !== "Enter" && event.key !== " ")) return;
  event.preventDefault();
  choose(shape.dataset.id);
  lastFocused = shape;
  focusHeading();
});
// A click may have replaced the button that had the focus.
panel.addEventListener("click", () => { if (player.hidden && !panel.contains(document.activeElement)) focusHeading(); });
// On the stage, because Chromium makes an SVG element that listens for focus a tab stop.
stage.addEventListener("focusin", (event) => {
  const shape = event.target.closest(".node.state");
  if (shape && shape.matches(":focus-visible")) reveal(shape.dataset.id);
});
addEventListener("keydown", (event) => {
  if (event.key === "/" && event.target.tagName !== "INPUT") { event.preventDefault(); search.focus(); }
  if (event.key !== "Escape" || event.target === search) return;
  if (!player.hidden) return close();
  const inPanel = panel.contains(document.activeElement);
  overview();
  if (inPanel && lastFocused) lastFocused.focus(); else if (inPanel) focusHeading();
  lastFocused = undefined;
});
`;

/** Plays a run, step by step or automatically. */
const playerScript = `
let run, taken = 0, timer, opener;
const ends = { stopped: "the run stops", stuck: "the run is stuck" };
const nameOf = (id) => stateOf.has(id) ? stateOf.get(id).name : data.undrawn[id] + " (not drawn)";
const repeats = () => run.loopFrom !== undefined && run.cut === 0;
const atEnd = () => taken === run.steps.length && !repeats();
/** How many laps were started after so many steps, and the index of the last of these steps in the run. */
const lapOf = (steps) => steps <= run.loopFrom || !repeats() ? 0 : Math.ceil((steps - run.loopFrom) / (run.steps.length - run.loopFrom));
const stepIndex = (steps) => lapOf(steps) < 2 ? steps : steps - (lapOf(steps) - 1) * (run.steps.length - run.loopFrom);
const placeAfter = (steps) => steps === 0 ? run.start : run.steps[stepIndex(steps) - 1].to;
const draw = () => {
  const step = taken === 0 ? undefined : run.steps[stepIndex(taken) - 1];
  const current = placeAfter(taken);
  mark("now", [current, ...(step ? step.edges : [])]);
  mark("via", step ? step.forced : []);
  const path = step
    ? "─" + step.event + "→ " + [...[...step.forced, ...(step.end ? [] : [step.to])].map(nameOf), ...(step.end ? [ends[step.end]] : [])].join(" ⇒ ")
    : "starts in " + nameOf(current);
  const visits = Array.from({ length: taken + 1 }, (_, steps) => placeAfter(steps)).filter((id) => id === current).length;
  const end = taken < run.steps.length ? "" : run.cut > 0 ? " · " + run.cut + " more steps" : "";
  $("where").textContent = (step ? stepIndex(taken) : 0) + " of " + run.steps.length + " · " + path + " · visit " + visits +
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
const play = () => {
  if (atEnd()) taken = 0;
  $("play").textContent = "Pause";
  timer = setInterval(forward, 900);
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
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) play();
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
  play();
  forward();
});
$("step").addEventListener("click", () => { pause(); forward(); });
$("back").addEventListener("click", () => { pause(); if (taken > 0) taken--; draw(); });
$("restart").addEventListener("click", () => { pause(); taken = 0; draw(); });
$("stop").addEventListener("click", close);

/** Where to start in a drawing that is too large to read as a whole. */
const initialState = () => data.states.find(({ starts }) => starts.length > 0) || bySeverity.flatMap(({ nodes }) => statesOf(nodes))[0];
const showInitially = () => {
  const state = fitting() < 0.4 ? initialState() : undefined;
  if (state) centerOn(state.id); else fit();
};
const start = () => {
  updateThemeButton();
  showAll();
  if (innerWidth <= 720) showPanel(false);
  showInitially();
  // A frame may get its size later, and then without a "resize" event.
  new ResizeObserver(() => { if (!hasMoved) showInitially(); }).observe(stage);
  followHash();
};
`;

/** A string, because it runs in the browser. */
export const pageScript = `"use strict";(() => {${sharedScript}${viewScript}${panelScript}${playerScript}
start();
})();`;
