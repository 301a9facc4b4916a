import { cells } from "../text/text-width.js";

/** Widths in thousandths of the font size: a little wide, since nobody knows which font will be there. */
const widthGroups: readonly (readonly [characters: string, width: number])[] = [
  ["ijl.,:;'|!I`", 310],
  ['ftr()[]{}-/\\ "*', 400],
  ["abcdeghknopqsuvxyzJ_0123456789?$#+<>=~^", 600],
  ["ABCDEFGHKLNOPQRSTUVXYZ&", 730],
  ["mwMW@%", 930],
];
const characterWidths = new Map(widthGroups.flatMap(([characters, width]) => [...characters].map((one) => [one, width])));

/** How wide a text will be, near enough and the same on every machine. */
export function measureText(text: string, fontSize: number): number {
  let width = 0;
  for (const cell of cells(text))
    width += characterWidths.get(cell.text) ?? cell.width * (cell.width === 2 ? 530 : 680);
  return Math.ceil((width * fontSize) / 1000);
}
