import { type Severity, severities } from "../diagnostic.js";
import { formatNumber, measureText, rowFontSize } from "./geometry.js";
import { isStateNode, markDescriptions, type Picture, type PictureFinding, usedMarks } from "./picture.js";

export const signHeight = 14;
const signWidth = 22;

/** Every sign that the drawing uses, and no other: as it is drawn, its width, and what it means. */
export function legendOf(picture: Picture) {
  const { nodes, edges, findings, noun } = picture;
  const states = nodes.filter(isStateNode);
  const starts = nodes.filter((node) => node.kind === "start");
  const hasForcedExit = edges.some(({ kind }) => kind === "forced");
  const hasComposition = states.some(({ decider, composition }) => !decider && composition);
  const hasUnmarkedGhost = nodes.some(({ kind, mark }) => kind === "ghost" && !mark);
  const worst = worstSeverity(states.flatMap((state) => state.findings.flatMap((i) => findings[i] ?? [])));
  const entries = [
    starts.some(({ agent }) => !agent) && shape('<circle class="entry" cx="11" cy="7" r="6"/>', "the entry"),
    starts.some(({ agent }) => agent) && shape(box("agent", 7), "an agent starts here"),
    states.some(({ ends }) => ends) && shape(box("", 4) + frame("inner", 3, 2), "ends the run"),
    hasForcedExit && shape('<g class="edge forced"><path d="M0 7H22"/></g>', "forced exit, at max_visits"),
    states.some(({ guard }) => guard) && word("guard", "max n ⇒", "the most visits, and what follows"),
    states.some(({ decider }) => decider === "external") &&
      word("decider", "external", "a person or another system sends the event"),
    states.some(({ decider }) => decider === "hybrid") &&
      word("decider", "hybrid", "the runtime or someone else sends the event"),
    hasComposition && word("decider", "composition", "steps that run instead of a prompt"),
    states.some(({ artifacts }) => artifacts.length > 0) && shape(fileIcon(7, 2), "artifacts it may write"),
    hasUnmarkedGhost && shape(box("ghost", 4), markDescriptions.missing),
    worst && shape(badgeShape("n", worst, 11, 7), `how many ${noun}s it has`),
    ...usedMarks(picture).map((mark) =>
      shape(box(mark === "missing" ? "ghost missing" : mark, 4), markDescriptions[mark]),
    ),
  ];
  return entries.flatMap((entry) => entry || []);
}

function shape(sign: string, words: string) {
  return { sign, width: signWidth, words };
}

function word(kind: "guard" | "decider", text: string, words: string) {
  const width = Math.ceil(measureText(text, rowFontSize) * 1.1);
  return { sign: `<text class="row ${kind}" x="${width / 2}" y="11">${text}</text>`, width, words };
}

function box(name: string, radius: number): string {
  return `<g class="${name}">${frame("box", 0, radius)}</g>`;
}

function frame(name: string, inset: number, radius: number): string {
  const [width, height] = [signWidth - 2 * inset, signHeight - 2 * inset];
  return `<rect class="${name}" x="${inset}" y="${inset}" width="${width}" height="${height}" rx="${radius}"/>`;
}

/** A sheet with a folded corner. */
export function fileIcon(x: number, y: number): string {
  return `<path class="sign" d="M${formatNumber(x)} ${formatNumber(y)}h5l3 3v7h-8z"/>`;
}

export function badgeShape(text: string, severity: Severity, x: number, y: number, title = ""): string {
  const width = Math.max(18, measureText(text, 10) + 8);
  return (
    `<g class="badge ${severity}" transform="translate(${formatNumber(x)} ${formatNumber(y)})">${title}` +
    `<rect x="${-width / 2}" y="-9" width="${width}" height="18" rx="9"/><text y="3.5">${text}</text></g>`
  );
}

export function worstSeverity(findings: readonly PictureFinding[]): Severity | undefined {
  return severities.find((severity) => findings.some((finding) => finding.severity === severity));
}
