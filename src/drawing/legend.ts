import { measureText } from "./measure-text.js";
import { markWords, partNote, type Picture, usedMarks } from "./picture.js";
import { escapeXml } from "../text/xml.js";

export interface Legend {
  readonly text: string;
  readonly width: number;
  readonly height: number;
}

const margin = 24;
const line = 22;
const size = 12;

/** What the colours mean, and what is not drawn; nothing for a plain picture. */
export function legend(picture: Picture, room: number): Legend {
  const parts: string[] = [];
  let [x, y, widest] = [margin, 0, 0];
  for (const mark of usedMarks(picture)) {
    const words = markWords[mark];
    const width = 26 + measureText(words, size) + 18;
    if (x > margin && x + width > Math.max(room, 420) - margin + 18) [x, y] = [margin, y + line];
    const dashed = mark === "missing" ? ' stroke-dasharray="4 3"' : "";
    parts.push(
      `<rect class="swatch ${mark}" x="${x}" y="${y}" width="18" height="12" rx="3"${dashed}/>` +
        `<text class="words" x="${x + 26}" y="${y + 10}">${escapeXml(words)}</text>`,
    );
    x += width;
    widest = Math.max(widest, x - 18);
  }
  const note = partNote(picture);
  if (note !== undefined) {
    if (parts.length > 0) y += line;
    parts.push(`<text class="words" x="${margin}" y="${y + 10}">${escapeXml(note)}</text>`);
    widest = Math.max(widest, margin + measureText(note, size));
  }
  if (parts.length === 0) return { text: "", width: 0, height: 0 };
  return { text: parts.join("\n"), width: widest + margin, height: y + 12 + margin };
}
