import { appendTo } from "../../text/collections.js";
import type { Point } from "../layout.js";
import type { PageData } from "../page-data.js";
import { find } from "./elements.js";

export type PageState = PageData["states"][number];

export const data = JSON.parse(find("#data").textContent) as PageData;
export const stage = find("#stage");
export const panel = find("#panel");
export const player = find("#player");
export const graph = find<SVGSVGElement>("#stage>svg");
export const scene = find<SVGGElement>(".scene");

const states = new Map(data.states.map((state) => [state.id, state]));
const shapes = new Map<string, SVGElement[]>();
for (const shape of scene.querySelectorAll<SVGElement>("[data-id],[data-label]"))
  appendTo(shapes, shape.dataset["id"] ?? shape.dataset["label"] ?? "", shape);

/** Undefined for nodes that are not states, and for what is not drawn. */
export function stateOf(id: string | undefined): PageState | undefined {
  return id === undefined ? undefined : states.get(id);
}

export function shapeAt({ target }: Event): SVGElement | undefined {
  return (target instanceof Element && target.closest<SVGElement>(".node.state")) || undefined;
}

/** The centre of a node. */
export function placeOf(id: string): Point | undefined {
  const transform = shapes.get(id)?.[0]?.getAttribute("transform") ?? "";
  const [x, y] = transform.match(/-?[0-9.]+/g)?.map(Number) ?? [];
  return x === undefined || y === undefined ? undefined : { x, y };
}

export function mark(name: string, ids: readonly string[]): void {
  for (const shape of scene.querySelectorAll(`.${name}`)) shape.classList.remove(name);
  for (const id of ids) for (const shape of shapes.get(id) ?? []) shape.classList.add(name);
}
