/** Plays a run, step by step or by itself. */
export const playerScript = `
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
