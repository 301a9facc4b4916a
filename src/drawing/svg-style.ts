import { type Paint, paints } from "./picture.js";

type Token =
  "bg" | "surface" | "border" | "text" | "muted" | "edge" | "accent" | "tint" | "error" | "warning" | "info";
type Colors = Readonly<Record<Token, string>> & {
  readonly paint: Readonly<Record<Paint, { readonly line: string; readonly fill: string }>>;
};

const light: Colors = {
  bg: "#ffffff",
  surface: "#ffffff",
  border: "#8c959f",
  text: "#1f2328",
  muted: "#59636e",
  edge: "#6e7781",
  accent: "#0969da",
  tint: "#ddf4ff",
  error: "#cf222e",
  warning: "#9a6700",
  info: "#0969da",
  paint: {
    loop: { line: "#cf222e", fill: "#ffebe9" },
    trapped: { line: "#8250df", fill: "#fbefff" },
    held: { line: "#bf8700", fill: "#fff8c5" },
    incomplete: { line: "#bf3989", fill: "#ffeff7" },
    missing: { line: "#cf222e", fill: "#ffffff" },
    unreachable: { line: "#afb8c1", fill: "#f6f8fa" },
  },
};

const dark: Colors = {
  bg: "#0d1117",
  surface: "#161b22",
  border: "#6e7681",
  text: "#e6edf3",
  muted: "#9198a1",
  edge: "#8b949e",
  accent: "#4493f8",
  tint: "#12233d",
  error: "#f85149",
  warning: "#d29922",
  info: "#4493f8",
  paint: {
    loop: { line: "#f85149", fill: "#3a1d1f" },
    trapped: { line: "#a371f7", fill: "#2a2140" },
    held: { line: "#d29922", fill: "#302812" },
    incomplete: { line: "#db61a2", fill: "#371d2e" },
    missing: { line: "#f85149", fill: "#0d1117" },
    unreachable: { line: "#3d444d", fill: "#151b23" },
  },
};

/** The colours of a theme as custom properties. */
export function colorsOf(theme: "light" | "dark"): string {
  const { paint, ...tokens } = theme === "light" ? light : dark;
  const own = Object.entries(tokens).map(([name, color]) => `--${name}:${color}`);
  const painted = paints.flatMap((name) => [
    `--${name}:${paint[name].line}`,
    `--${name}-fill:${paint[name].fill}`,
  ]);
  return [...own, ...painted].join(";");
}

export const fontFamily =
  'system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"Noto Sans",sans-serif';

const painting = paints
  .map(
    (name) =>
      `.${name} .box,.${name}.swatch{fill:var(--${name}-fill);stroke:var(--${name});stroke-width:2}` +
      `.edge.${name} path{stroke:var(--${name});stroke-width:2.25}.edge.${name} text{fill:var(--${name})}` +
      `.head-${name}{fill:var(--${name})}`,
  )
  .join("");

/** How the parts of the drawing look, given the colours. */
export const drawingStyle =
  `.graph text{font-family:${fontFamily};fill:var(--text)}` +
  ".box{fill:var(--surface);stroke:var(--border);stroke-width:1.25}" +
  ".inner{fill:none;stroke:var(--border)}" +
  ".name{font-size:14px;font-weight:600;text-anchor:middle}" +
  ".row{font-size:11.5px;text-anchor:middle}" +
  ".graph .row{fill:var(--muted)}.graph .row.decider{fill:var(--accent);font-weight:600}" +
  ".sign{fill:none;stroke:var(--muted)}" +
  ".entry{fill:var(--text)}" +
  ".agent .box{fill:var(--tint);stroke:var(--accent)}" +
  ".ghost .box{stroke-dasharray:5 4}" +
  ".edge path{fill:none;stroke:var(--edge);stroke-width:1.5}" +
  ".edge.forced path{stroke-dasharray:6 4}" +
  ".edge text{font-size:12px;text-anchor:middle;paint-order:stroke;stroke:var(--bg);stroke-width:5px;stroke-linejoin:round}" +
  ".head{fill:var(--edge)}" +
  painting +
  ".edge.unreachable path{stroke-width:1.5}" +
  ".missing .name,.graph .missing .row{fill:var(--missing)}" +
  ".graph .unreachable .name{fill:var(--muted)}" +
  ".loop .inner{stroke:var(--loop)}.trapped .inner{stroke:var(--trapped)}.held .inner{stroke:var(--held)}" +
  ".badge circle{stroke:var(--bg);stroke-width:2}.badge.error circle{fill:var(--error)}.badge.warning circle{fill:var(--warning)}" +
  ".graph .badge text{font-size:10px;font-weight:700;text-anchor:middle;fill:var(--bg)}" +
  ".graph .words{font-size:12px;fill:var(--muted)}";

/** What a drawing that stands alone carries with it. */
export const standaloneStyle =
  `.graph{${colorsOf("light")}}` +
  `@media (prefers-color-scheme:dark){.graph{${colorsOf("dark")}}}` +
  ".ground{fill:var(--bg)}" +
  drawingStyle;
