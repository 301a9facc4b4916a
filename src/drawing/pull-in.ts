import { appendTo } from "../maps/add-to.js";
import type { Point } from "./placed.js";

/** An edge between its ends, with a bend in every row it passes; its label stands at one of them. */
export interface BentEdge {
  readonly from: Point;
  readonly to: Point;
  readonly bends: readonly Point[];
  readonly label: { readonly y: number; readonly width: number };
}

/** A bend among those of its row. */
interface RowBend {
  x: number;
  readonly y: number;
  readonly width: number;
  /** Where an edge without other bends begins and ends. */
  readonly ends: readonly number[] | undefined;
}

/** What two labels keep between them, or a label and a line. */
const labelGap = 18;

/**
 * The layers may put the bend of a short edge anywhere in its row: it is pulled in between the ends of the edge, as far
 * as its neighbours let it. The order in the rows stays, so that no more edges cross.
 */
export function straightenShortEdges<Edge extends BentEdge>(edges: readonly Edge[]): readonly Edge[] {
  const stops = edges.map(rowBendsOf);
  for (const row of groupByRow(stops.flat())) {
    pullRow(row, 1);
    pullRow(row.reverse(), -1);
  }
  return edges.map((edge, index) => ({ ...edge, bends: stops[index]?.map(({ x, y }) => ({ x, y })) ?? [] }));
}

function rowBendsOf({ from, to, bends, label }: BentEdge): readonly RowBend[] {
  const ends = bends.length === 1 ? [from.x, to.x] : undefined;
  return bends.map(({ x, y }) => ({ x, y, width: y === label.y ? label.width : 0, ends }));
}

function groupByRow(stops: readonly RowBend[]): readonly RowBend[][] {
  const rows = new Map<number, RowBend[]>();
  for (const stop of stops) appendTo(rows, stop.y, stop);
  return [...rows.values()].map((row) => row.sort((a, b) => a.x - b.x));
}

/** Along a row, back towards where it begins; `way` is -1 from right to left. */
function pullRow(row: readonly RowBend[], way: 1 | -1): void {
  let free = -Infinity;
  for (const stop of row) {
    const half = stop.width / 2;
    const wanted = Math.max(...(stop.ends ?? [stop.x]).map((x) => way * x), free + half);
    stop.x = way * Math.min(way * stop.x, wanted);
    free = way * stop.x + half + labelGap;
  }
}
