/** Plays a run, step by step or by itself. */
export const playerScript = `
let run, taken = 0, timer, opener;
const nameOf = (id) => stateOf.has(id) ? stateOf.get(id).name : data.undrawn[id] + " (not drawn)";
const inLoop = (step) => run.loopFrom !== undefined && step > run.loopFrom;
const draw = () => {
  const step = taken === 0 ? undefined : run.steps[taken - 1];
  const current = step ? step.to : run.start;
  mark("now", [current, ...(step ? step.edges : [])]);
  mark("via", step ? step.forced : []);
  const way = step
    ? "─" + step.event + "→ " + [...step.forced, step.to].map(nameOf).join(" ⇒ ")
    : "starts in " + nameOf(current);
  const visits = [run.start, ...run.steps.slice(0, taken).map(({ to }) => to)].filter((id) => id === current).length;
  const end = taken < run.steps.length ? "" : run.cut > 0 ? " · " + run.cut + " more steps" : "";
  $("where").textContent = taken + " of " + run.steps.length + " · " + way + " · visit " + visits +
    (inLoop(taken) ? " · ↻ repeats forever" : "") + (step && step.forced.length > 0 ? " · forced exit" : "") + end;
  $("back").disabled = taken === 0;
  $("step").disabled = taken === run.steps.length && run.loopFrom === undefined;
  reveal(current);
};
const pause = () => { clearInterval(timer); timer = undefined; $("play").textContent = "Play"; };
const forward = () => {
  if (taken < run.steps.length) taken++;
  else if (run.loopFrom !== undefined && run.cut === 0) taken = run.loopFrom + 1;
  else return pause();
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
  if (taken === run.steps.length && run.loopFrom === undefined) taken = 0;
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
