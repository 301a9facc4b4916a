import type { PageData } from "../page-data.js";
import { find } from "./elements.js";
import { data, graph, mark, panel, player, stage, stateOf } from "./scene.js";
import { reveal } from "./view.js";

type Run = PageData["runs"][number];

let run: Run;
/** How many steps were taken; more than the run has while it repeats its loop. */
let taken = 0;
let timer: ReturnType<typeof setInterval> | undefined;
/** The element that had the focus before the player. */
let opener: HTMLElement | SVGElement = stage;

const playButton = find("#play");
const endings = { stopped: "the run stops", stuck: "the run is stuck", refused: "the event is refused" };

const lapLength = (): number => run.steps.length - (run.loopFrom ?? 0);
const repeats = (): boolean => run.loopFrom !== undefined && run.cut === 0;
const isAtEnd = (): boolean => taken === run.steps.length && !repeats();

function lapAfter(steps: number): number {
  return repeats() ? Math.max(0, Math.ceil((steps - (run.loopFrom ?? 0)) / lapLength())) : 0;
}

/** The number of the last of so many steps in the run. */
function numberOf(steps: number): number {
  return steps - Math.max(0, lapAfter(steps) - 1) * lapLength();
}

function placeAfter(steps: number): string {
  return run.steps[numberOf(steps) - 1]?.to ?? run.start;
}

function nameOf(id: string): string {
  return stateOf(id)?.name ?? `${data.undrawn[id]} (not drawn)`;
}

function show(): void {
  const number = numberOf(taken);
  const step = run.steps[number - 1];
  const { forced = [], edges = [], event, end, to = run.start } = step ?? {};
  mark("now", [to, ...edges]);
  mark("via", forced);
  const targets = [...forced.map(nameOf), end === undefined ? nameOf(to) : endings[end]].join(" ⇒ ");
  const visits = Array.from({ length: taken + 1 }, (_, steps) => placeAfter(steps)).filter((id) => id === to);
  const words = [
    `${number} of ${run.steps.length}`,
    event === undefined ? `starts in ${targets}` : `─${event}→ ${targets}`,
    `visit ${visits.length}`,
    lapAfter(taken) > 0 && `↻ lap ${lapAfter(taken)}`,
    forced.length > 0 && "forced exit",
    taken >= run.steps.length && run.cut > 0 && `${run.cut} more steps`,
  ];
  find("#where").textContent = words.filter(Boolean).join(" · ");
  find<HTMLButtonElement>("#back").disabled = taken === 0;
  find<HTMLButtonElement>("#step").disabled = isAtEnd();
  reveal(to);
}

function pause(): void {
  clearInterval(timer);
  timer = undefined;
  playButton.textContent = "Play";
}

function goTo(steps: number): void {
  taken = steps;
  show();
}

function forward(): void {
  if (isAtEnd()) pause();
  else goTo(taken + 1);
}

function play(): void {
  if (isAtEnd()) taken = 0;
  playButton.textContent = "Pause";
  timer = setInterval(forward, 900);
}

export function openRun(opened: Run): void {
  pause();
  const { activeElement: focused } = document;
  if (player.hidden || panel.contains(focused))
    opener = focused instanceof HTMLElement || focused instanceof SVGElement ? focused : stage;
  run = opened;
  player.hidden = false;
  graph.classList.add("playing");
  goTo(0);
  playButton.focus();
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) play();
}

export function closeRun(): void {
  pause();
  player.hidden = true;
  graph.classList.remove("playing");
  mark("now", []);
  mark("via", []);
  (opener.isConnected ? opener : stage).focus();
}

function onClick(id: string, act: () => void): void {
  find(id).addEventListener("click", () => {
    pause();
    act();
  });
}

playButton.addEventListener("click", () => {
  if (timer !== undefined) return pause();
  play();
  forward();
});
onClick("#step", forward);
onClick("#back", () => goTo(Math.max(0, taken - 1)));
onClick("#restart", () => goTo(0));
onClick("#stop", closeRun);
