import type { Point } from "./placed.js";

/** A number as it is written in a drawing: one digit behind the point is finer than any screen. */
export function num(value: number): string {
  return String(Math.round(value * 10) / 10 + 0);
}

/** The path of a start and, for every piece, two control points and an end. */
export function curve([start, ...rest]: readonly Point[]): string {
  if (start === undefined) return "";
  const parts = [`M${at(start)}`];
  let last = start;
  for (let i = 0; i + 2 < rest.length; i += 3) {
    const [a, b, end] = [rest[i], rest[i + 1], rest[i + 2]];
    if (a === undefined || b === undefined || end === undefined) break;
    const straight = [a, b, end].every(({ x }) => x === last.x);
    parts.push(straight ? `L${at(end)}` : `C${at(a)} ${at(b)} ${at(end)}`);
    last = end;
  }
  return parts.join("");
}

function at({ x, y }: Point): string {
  return `${num(x)} ${num(y)}`;
}
