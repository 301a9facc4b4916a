/** Where the drawing is in its window: panning and zooming with mouse, touch and keyboard. */
import type { Point } from "../layout.js";
import { find } from "./elements.js";
import { graph, placeOf, player, scene, shapeAt, stage } from "./scene.js";

const width = Number(graph.dataset["width"]);
const height = Number(graph.dataset["height"]);
let view = { x: 0, y: 0, scale: 1 };
/** Until the reader moves the drawing, it follows the window. */
let hasMoved = false;

function show(next: typeof view, glide = false): void {
  view = next;
  scene.classList.toggle("glide", glide);
  scene.style.transform = `translate(${view.x}px,${view.y}px) scale(${view.scale})`;
}

/** Brings a point of the drawing to a point of the window. */
function bring({ x, y }: Point, to: Point, scale: number, glide?: boolean): void {
  show({ x: to.x - x * scale, y: to.y - y * scale, scale }, glide);
}

function windowPoint(across: number, down: number, covered = 0): Point {
  return { x: stage.clientWidth * across, y: (stage.clientHeight - covered) * down };
}

function fittingScale(): number {
  return Math.min(stage.clientWidth / width, stage.clientHeight / height);
}

function fit(glide: boolean): void {
  const scale = Math.max(0.02, Math.min(1.25, fittingScale() * 0.97));
  bring({ x: width / 2, y: height / 2 }, windowPoint(1 / 2, 1 / 2), scale, glide);
  hasMoved = false;
}

/** Shows all, or the surroundings of a state if all would be too small to read, until the reader moves the drawing. */
export function follow(initialState: string | undefined): void {
  const showInitially = (): void => {
    const place = fittingScale() < 0.4 && initialState !== undefined ? placeOf(initialState) : undefined;
    if (place) bring(place, windowPoint(1 / 2, 1 / 3), 0.85);
    else fit(false);
  };
  showInitially();
  // A frame may get its size later, and then without a "resize" event.
  new ResizeObserver(() => {
    if (!hasMoved) showInitially();
  }).observe(stage);
}

function zoom(factor: number, at?: Point): void {
  const smallest = Math.min(0.2, fittingScale() / 2);
  const scale = Math.min(4, Math.max(smallest, view.scale * factor));
  const fixed = at ?? windowPoint(1 / 2, 1 / 2);
  bring({ x: (fixed.x - view.x) / view.scale, y: (fixed.y - view.y) / view.scale }, fixed, scale, !at);
  hasMoved = true;
}

function move(x: number, y: number): void {
  show({ x: view.x + x, y: view.y + y, scale: view.scale });
  hasMoved = true;
}

export function reveal(id: string): void {
  const place = placeOf(id);
  if (place === undefined) return;
  const scale = view.scale < 0.6 ? 0.9 : view.scale;
  const now = { x: place.x * scale + view.x, y: place.y * scale + view.y };
  const { x: right, y: bottom } = windowPoint(1, 1, player.hidden ? 60 : 150);
  const isVisible = now.x > 90 && now.x < right - 90 && now.y > 50 && now.y < bottom;
  bring(place, isVisible ? now : windowPoint(1 / 2, 1 / 2, player.hidden ? 0 : 90), scale, true);
  hasMoved = true;
}

const pointers = new Map<number, Point>();
let dragged = 0;

/** Whether the pointer moved between being pressed and released, so that its click chooses nothing. */
export function wasDragged(): boolean {
  return dragged > 4;
}

function isInPlayer({ target }: Event): boolean {
  return target instanceof Node && player.contains(target);
}

function pointOf({ clientX, clientY }: MouseEvent): Point {
  const { left, top } = stage.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top };
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y) || 1;
}

stage.addEventListener("pointerdown", (event) => {
  if (isInPlayer(event) || event.button > 0) return;
  pointers.set(event.pointerId, pointOf(event));
  if (pointers.size === 1) dragged = 0;
});
stage.addEventListener("pointermove", (event) => {
  const { pointerId } = event;
  const before = pointers.get(pointerId);
  if (before === undefined) return;
  const now = pointOf(event);
  const [x, y] = [now.x - before.x, now.y - before.y];
  dragged += Math.abs(x) + Math.abs(y);
  if (wasDragged() && !stage.hasPointerCapture(pointerId)) {
    stage.setPointerCapture(pointerId);
    stage.classList.add("drag");
  }
  pointers.set(pointerId, now);
  const [other] = [...pointers].flatMap(([id, point]) => (id === pointerId ? [] : point));
  if (other === undefined) return move(x, y);
  zoom(distance(now, other) / distance(before, other), {
    x: (now.x + other.x) / 2,
    y: (now.y + other.y) / 2,
  });
  move(x / 2, y / 2);
});
for (const name of ["pointerup", "pointercancel"] as const) {
  stage.addEventListener(name, ({ pointerId }) => {
    pointers.delete(pointerId);
    if (pointers.size === 0) stage.classList.remove("drag");
  });
}
const turnWheel = (event: WheelEvent): void => {
  event.preventDefault();
  const turn = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 20 : event.deltaY;
  zoom(Math.exp(-Math.max(-120, Math.min(120, turn)) / 400), pointOf(event));
};
stage.addEventListener("wheel", turnWheel, { passive: false });
stage.addEventListener("dblclick", (event) => {
  if (!shapeAt(event) && !isInPlayer(event)) zoom(1.5, pointOf(event));
});

const zoomIn = (): void => zoom(1.25);
const zoomOut = (): void => zoom(0.8);
const showAll = (): void => fit(true);
const actions = new Map([
  ["ArrowLeft", () => move(60, 0)],
  ["ArrowRight", () => move(-60, 0)],
  ["ArrowUp", () => move(0, 60)],
  ["ArrowDown", () => move(0, -60)],
  ["+", zoomIn],
  ["=", zoomIn],
  ["-", zoomOut],
  ["0", showAll],
]);
stage.addEventListener("keydown", (event) => {
  const action = actions.get(event.key);
  if (!action || event.ctrlKey || event.metaKey || event.altKey || isInPlayer(event)) return;
  event.preventDefault();
  action();
});
// The browser scrolls to a focused state by itself; the drawing moves instead.
stage.addEventListener("scroll", () => stage.scrollTo(0, 0));
find("#in").addEventListener("click", zoomIn);
find("#out").addEventListener("click", zoomOut);
find("#fit").addEventListener("click", showAll);
