import { measureText } from "./measure-text.js";
import { markDescriptions, cropNote, type Picture, usedMarks } from "./picture.js";
import { escapeXml } from "../text/xml.js";

export interface Legend {
  readonly text: string;
  readonly width: number;
  readonly height: number;
}

const legendMargin = 24;
const legendLineHeight = 22;
const legendFontSize = 12;

/** What the colours mean, and what is not drawn; nothing for a plain picture. */
export function renderLegend(picture: Picture, room: number): Legend {
  const parts: string[] = [];
  let [x, y, widest] = [legendMargin, 0, 0];
  for (const mark of usedMarks(picture)) {
    const words = markDescriptions[mark];
    const width = 26 + measureText(words, legendFontSize) + 18;
    if (x > legendMargin && x + width > Math.max(room, 420) - legendMargin + 18) [x, y] = [legendMargin, y + legendLineHeight];
    const dashed = mark === "missing" ? ' stroke-dasharray="4 3"' : "";
    parts.push(
      `<rect class="swatch ${mark}" x="${x}" y="${y}" width="18" height="12" rx="3"${dashed}/>` +
        `<text class="words" x="${x + 26}" y="${y + 10}">${escapeXml(words)}</text>`,
    );
    x += width;
    widest = Math.max(widest, x - 18);
  }
  const note = cropNote(picture);
  if (note !== undefined) {
    if (parts.length > 0) y += legendLineHeight;
    parts.push(`<text class="words" x="${legendMargin}" y="${y + 10}">${escapeXml(note)}</text>`);
    widest = Math.max(widest, legendMargin + measureText(note, legendFontSize));
  }
  if (parts.length === 0) return { text: "", width: 0, height: 0 };
  return { text: parts.join("\n"), width: widest + legendMargin, height: y + 12 + legendMargin };
}
