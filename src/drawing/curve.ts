import type { Point } from "./placed.js";

/** A number as it is written in a drawing: one digit behind the point is finer than any screen. */
export function formatNumber(value: number): string {
  return String(Math.round(value * 10) / 10 + 0);
}

/** The path of a start and, for every piece, two control points and an end. */
export function pathData([start, ...rest]: readonly Point[]): string {
  if (start === undefined) return "";
  const parts = [`M${formatPoint(start)}`];
  let last = start;
  for (let i = 0; i + 2 < rest.length; i += 3) {
    const [a, b, end] = [rest[i], rest[i + 1], rest[i + 2]];
    if (a === undefined || b === undefined || end === undefined) break;
    const straight = [a, b, end].every(({ x }) => x === last.x);
    parts.push(straight ? `L${formatPoint(end)}` : `C${formatPoint(a)} ${formatPoint(b)} ${formatPoint(end)}`);
    last = end;
  }
  return parts.join("");
}

function formatPoint({ x, y }: Point): string {
  return `${formatNumber(x)} ${formatNumber(y)}`;
}
