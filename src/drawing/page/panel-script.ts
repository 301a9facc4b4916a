/** The panel: every finding and run, or one state with what it does and what was found there. */
export const panelScript = `
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
