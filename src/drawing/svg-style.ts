import { allMarks, type Mark, markColors } from "./picture.js";

const lightTheme = {
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
  marks: markColors,
};

type Theme = typeof lightTheme;

const darkTheme: Theme = {
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
  marks: {
    loop: { line: "#f85149", fill: "#3a1d1f" },
    trapped: { line: "#a371f7", fill: "#2a2140" },
    held: { line: "#d29922", fill: "#302812" },
    incomplete: { line: "#db61a2", fill: "#371d2e" },
    missing: { line: "#f85149", fill: "#0d1117" },
    unreachable: { line: "#3d444d", fill: "#151b23" },
    gone: { line: "#f85149", fill: "#3a1d1f" },
    new: { line: "#3fb950", fill: "#12301b" },
    changed: { line: "#d29922", fill: "#302812" },
    untried: { line: "#f85149", fill: "#3a1d1f" },
    partly: { line: "#d29922", fill: "#302812" },
    tried: { line: "#3fb950", fill: "#12261e" },
  },
};

type ColorName = Exclude<keyof Theme, "marks"> | Mark | `${Mark}-fill`;

function colorValues({ marks: markTheme, ...tokens }: Theme): ReadonlyMap<string, string> {
  const ofMarks = allMarks.flatMap((mark) => [
    [mark, markTheme[mark].line] as const,
    [`${mark}-fill`, markTheme[mark].fill] as const,
  ]);
  return new Map([...Object.entries(tokens), ...ofMarks]);
}

export function customProperties(theme: "light" | "dark"): string {
  const values = [...colorValues(theme === "light" ? lightTheme : darkTheme)];
  return values.map(([name, color]) => `--${name}:${color}`).join(";");
}

export const fontFamily =
  'system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"Noto Sans",sans-serif';

function markShapeRules(used: readonly Mark[]): string {
  return used.map((name) => `.${name} .box{stroke-width:2}.edge.${name} path{stroke-width:2.25}`).join("");
}

/** Everything but colours. */
const shapeRules = (used: readonly Mark[]): string =>
  `.graph text{font-family:${fontFamily}}` +
  ".box{stroke-width:1.25}" +
  ".inner{fill:none}" +
  ".name{font-size:14px;font-weight:600;text-anchor:middle}" +
  ".row{font-size:11.5px;text-anchor:middle}" +
  ".graph .row.decider{font-weight:600}" +
  ".sign{fill:none}" +
  ".ghost .box{stroke-dasharray:5 4}" +
  ".edge path{fill:none;stroke-width:1.5}" +
  ".edge.forced path{stroke-dasharray:6 4}" +
  ".edge text{font-size:12px;text-anchor:middle;paint-order:stroke;stroke-width:5px;stroke-linejoin:round}" +
  markShapeRules(used) +
  ".edge.unreachable path{stroke-width:1.5}" +
  ".badge rect{stroke-width:2}" +
  ".graph .badge text{font-size:10px;font-weight:700;text-anchor:middle}" +
  ".graph .words{font-size:12px}";

function colorRules(used: readonly Mark[], color: (name: ColorName) => string): string {
  const markRules = used.map(
    (name) =>
      `.${name} .box{fill:${color(`${name}-fill`)};stroke:${color(name)}}.${name} .inner{stroke:${color(name)}}` +
      `.edge.${name} path{stroke:${color(name)}}.edge.${name} text{fill:${color(name)}}` +
      `.head-${name}{fill:${color(name)}}`,
  );
  return (
    `.graph text{fill:${color("text")}}` +
    `.box{fill:${color("surface")};stroke:${color("border")}}` +
    `.inner{stroke:${color("border")}}` +
    `.graph .row{fill:${color("muted")}}.graph .row.decider{fill:${color("accent")}}` +
    `.sign{stroke:${color("muted")}}` +
    `.entry{fill:${color("text")}}` +
    `.agent .box{fill:${color("tint")};stroke:${color("accent")}}` +
    `.edge path{stroke:${color("edge")}}` +
    `.edge text{stroke:${color("bg")}}` +
    `.head{fill:${color("edge")}}` +
    markRules.join("") +
    `.missing .name,.graph .missing .row{fill:${color("missing")}}` +
    `.graph .unreachable .name{fill:${color("muted")}}` +
    `.badge rect{stroke:${color("bg")}}.badge.error rect{fill:${color("error")}}.badge.warning rect{fill:${color("warning")}}.badge.info rect{fill:${color("info")}}` +
    `.graph .badge text{fill:${color("bg")}}` +
    `.graph .words{fill:${color("muted")}}`
  );
}

/** For a page, which defines the colours as custom properties. */
export const drawingStyle =
  shapeRules(allMarks) +
  colorRules(allMarks, (name) => `var(--${name})`) +
  ".gone .name{text-decoration:line-through}.gone .box{stroke-dasharray:5 4}";

/** For a standalone drawing: literal colours, because many viewers do not support custom properties. */
export function standaloneStyle(used: readonly Mark[]): string {
  return `${shapeRules(used)}${themeRules(used, lightTheme)}@media (prefers-color-scheme:dark){${themeRules(used, darkTheme)}}`;
}

function themeRules(used: readonly Mark[], colors: Theme): string {
  const values = colorValues(colors);
  return `.ground{fill:${colors.bg}}${colorRules(used, (name) => values.get(name) ?? colors.text)}`;
}
