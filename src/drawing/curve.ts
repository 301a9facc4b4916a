import type { Point } from "./layout.js";

/** A number as it is written in a drawing: one digit behind the point is finer than any screen. */
export function num(value: number): string {
  return String(Math.round(value * 10) / 10 + 0);
}

/** A smooth path near the given points: a uniform cubic B-spline that begins and ends exactly on its ends. */
export function curve(points: readonly Point[]): string {
  const [first, ...rest] = points;
  const last = rest.at(-1);
  if (first === undefined || last === undefined) return "";
  const parts = [`M${at(first)}`];
  const [second] = rest;
  if (rest.length === 1 || second === undefined) return `${parts.join("")}L${at(last)}`;
  parts.push(`L${at(mix([first, 5], [second, 1]))}`);
  for (let i = 2; i < points.length; i++) {
    const [a, b, c] = [points[i - 2], points[i - 1], points[i]];
    if (a === undefined || b === undefined || c === undefined) break;
    parts.push(`C${at(mix([a, 2], [b, 1]))} ${at(mix([a, 1], [b, 2]))} ${at(mix([a, 1], [b, 4], [c, 1]))}`);
  }
  const before = points.at(-2) ?? first;
  parts.push(
    `C${at(mix([before, 2], [last, 1]))} ${at(mix([before, 1], [last, 2]))} ${at(mix([before, 1], [last, 5]))}`,
  );
  return `${parts.join("")}L${at(last)}`;
}

function at({ x, y }: Point): string {
  return `${num(x)} ${num(y)}`;
}

/** The point between several, each with its weight. */
function mix(...weighted: readonly (readonly [Point, number])[]): Point {
  let [x, y, sum] = [0, 0, 0];
  for (const [point, weight] of weighted) {
    x += point.x * weight;
    y += point.y * weight;
    sum += weight;
  }
  return { x: x / sum, y: y / sum };
}
