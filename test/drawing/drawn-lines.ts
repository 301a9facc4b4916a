import { labelFontSize, labelLineHeight, measureText } from "../../src/drawing/labels.js";

/** Measures an SVG drawing from its text. */
export interface Measured {
  readonly boxes: readonly Box[];
  /** Each with the id of its edge. */
  readonly labels: readonly Box[];
  readonly lines: readonly Line[];
  readonly badges: readonly Spot[];
}

export interface Spot {
  readonly x: number;
  readonly y: number;
}

export interface Box extends Spot {
  readonly id: string;
  readonly width: number;
  readonly height: number;
}

export interface Line {
  readonly id: string;
  readonly spots: readonly Spot[];
}

export const badgeRadius = 10;
const headLength = 9;
/** How far below the top of a label its first line stands. */
const baseline = 11.5;

export function measure(svg: string): Measured {
  const boxes: Box[] = [];
  const badges: Spot[] = [];
  for (const [node, id = "", x, y] of svg.matchAll(
    /<g class="node[^"]*" data-id="(\w+)" transform="translate\((\S+) (\S+)\)".*/g,
  )) {
    const [, width, height] = /class="box"[^>]* width="(\S+)" height="(\S+)"/.exec(node) ?? [];
    const middle = { x: Number(x), y: Number(y) };
    if (width !== undefined) boxes.push({ id, ...middle, width: Number(width), height: Number(height) });
    const [, right, down] = /class="badge[^"]*" transform="translate\((\S+) (\S+)\)"/.exec(node) ?? [];
    if (right !== undefined) badges.push({ x: middle.x + Number(right), y: middle.y + Number(down) });
  }
  const lines = [...svg.matchAll(/data-id="(e\d+)"><path d="([^"]+)"/g)].map(([, id = "", d = ""]) => {
    return { id, spots: sample(d) };
  });
  return { boxes, labels: labelsIn(svg), lines, badges };
}

function labelsIn(svg: string): readonly Box[] {
  return [...svg.matchAll(/data-label="(e\d+)">(.*)<\/g>/g)].map(([, id = "", inside = ""]) => {
    const texts = [...inside.matchAll(/<text x="(\S+)" y="(\S+)">([^<]*)<\/text>/g)];
    const [x, first] = [Number(texts[0]?.[1]), Number(texts[0]?.[2])];
    const height = texts.length * labelLineHeight;
    const width = Math.max(...texts.map(([, , , text = ""]) => measureText(text, labelFontSize)));
    return { id, x, y: first - baseline + height / 2, width, height };
  });
}

/** Whether a spot lies in a box, its frame left out. */
export function isInside({ x, y }: Spot, box: Box): boolean {
  return Math.abs(x - box.x) < box.width / 2 - 0.2 && Math.abs(y - box.y) < box.height / 2 - 0.2;
}

/** Where the head of an arrow lies. */
export function headOf({ spots }: Line): readonly Spot[] {
  const tip = spots.at(-1);
  return tip === undefined ? [] : spots.filter((spot) => distance(spot, tip) <= headLength);
}

export function distance(a: Spot, b: Spot): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** Spots along a path, a small step from each other. */
function sample(d: string): readonly Spot[] {
  const spots: Spot[] = [];
  for (const [, command, numbers = ""] of d.matchAll(/([MLC])([^MLC]+)/g)) {
    const values = numbers.trim().split(/\s+/).map(Number);
    const given = values.flatMap((x, index) => (index % 2 === 0 ? { x, y: values[index + 1] ?? 0 } : []));
    const before = spots.at(-1);
    if (command === "M" || before === undefined) spots.push(...given);
    else spots.push(...along([before, ...given]));
  }
  return spots;
}

function along(points: readonly Spot[]): readonly Spot[] {
  const steps = 100;
  return Array.from({ length: steps }, (_, index) => between(points, (index + 1) / steps));
}

/** De Casteljau: the same for straight pieces and for curves. */
function between(points: readonly Spot[], part: number): Spot {
  const [first = { x: 0, y: 0 }] = points;
  if (points.length < 2) return first;
  const closer = points.slice(1).map(({ x, y }, index) => {
    const before = points[index] ?? { x, y };
    return { x: before.x + (x - before.x) * part, y: before.y + (y - before.y) * part };
  });
  return between(closer, part);
}
