import { allMarks, type Mark, marks } from "./picture.js";

type Theme = "light" | "dark";

/** Each for a light and a dark background. */
const colors = {
  bg: ["#ffffff", "#0d1117"],
  surface: ["#ffffff", "#161b22"],
  border: ["#8c959f", "#6e7681"],
  text: ["#1f2328", "#e6edf3"],
  muted: ["#59636e", "#9198a1"],
  edge: ["#6e7781", "#8b949e"],
  accent: ["#0969da", "#4493f8"],
  tint: ["#ddf4ff", "#12233d"],
  error: ["#cf222e", "#f85149"],
  warning: ["#9a6700", "#d29922"],
  info: ["#0969da", "#4493f8"],
};

function colorValues(theme: Theme): ReadonlyMap<string, string> {
  const ofMarks = allMarks.flatMap((mark) => {
    const [line, fill] = marks[mark][theme];
    return [[mark, line] as const, [`${mark}-fill`, fill] as const];
  });
  const others = Object.entries(colors).map(([name, [light = "", dark = ""]]) => {
    return [name, theme === "light" ? light : dark] as const;
  });
  return new Map([...others, ...ofMarks]);
}

export function customProperties(theme: Theme): string {
  return [...colorValues(theme)].map(([name, color]) => `--${name}:${color}`).join(";");
}

export const fontFamily =
  'system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"Noto Sans",sans-serif';

/** Everything but colours. */
const shapeRules = (used: readonly Mark[]): string =>
  `.graph text{font-family:${fontFamily}}` +
  ".box{stroke-width:1.25}.inner{fill:none}" +
  ".name{font-size:14px;font-weight:600;text-anchor:middle}" +
  ".row{font-size:11.5px;text-anchor:middle}.graph .row.decider{font-weight:600}" +
  ".sign{fill:none}.ghost .box{stroke-dasharray:5 4}" +
  ".edge path{fill:none;stroke-width:1.5}.edge.forced path{stroke-dasharray:6 4}" +
  ".edge text{font-size:12px;text-anchor:middle;paint-order:stroke;stroke-width:5px;stroke-linejoin:round}" +
  used.map((name) => `.${name} .box{stroke-width:2}.edge.${name} path{stroke-width:2.25}`).join("") +
  ".edge.unreachable path{stroke-width:1.5}" +
  ".badge rect{stroke-width:2}.graph .badge text{font-size:10px;font-weight:700;text-anchor:middle}" +
  ".graph .words{font-size:12px}";

/** A name after a `$` is that of a colour. */
const markRules = (mark: Mark): string =>
  `.${mark} .box{fill:$${mark}-fill;stroke:$${mark}}.${mark} .inner{stroke:$${mark}}` +
  `.edge.${mark} path{stroke:$${mark}}.edge.${mark} text{fill:$${mark}}.head-${mark}{fill:$${mark}}`;

function colorRules(used: readonly Mark[], color: (name: string) => string): string {
  const rules =
    ".graph text{fill:$text}.box{fill:$surface;stroke:$border}.inner{stroke:$border}" +
    ".graph .row{fill:$muted}.graph .row.decider{fill:$accent}.sign{stroke:$muted}.entry{fill:$text}" +
    ".agent .box{fill:$tint;stroke:$accent}" +
    ".edge path{stroke:$edge}.edge text{stroke:$bg}.head{fill:$edge}" +
    used.map(markRules).join("") +
    ".missing .name,.graph .missing .row{fill:$missing}.graph .unreachable .name{fill:$muted}" +
    ".badge rect{stroke:$bg}.badge.error rect{fill:$error}.badge.warning rect{fill:$warning}" +
    ".badge.info rect{fill:$info}.graph .badge text{fill:$bg}.graph .words{fill:$muted}";
  return rules.replace(/\$([\w-]+)/gu, (_, name: string) => color(name));
}

/** For a page, which defines the colours as custom properties. */
export const drawingStyle =
  shapeRules(allMarks) +
  colorRules(allMarks, (name) => `var(--${name})`) +
  ".gone .name{text-decoration:line-through}.gone .box{stroke-dasharray:5 4}";

/** For a standalone drawing: literal colours, because many viewers do not support custom properties. */
export function standaloneStyle(used: readonly Mark[]): string {
  const themeRules = (theme: Theme): string => {
    const values = colorValues(theme);
    return `.ground{fill:${values.get("bg")}}${colorRules(used, (name) => values.get(name) ?? "")}`;
  };
  return `${shapeRules(used)}${themeRules("light")}@media (prefers-color-scheme:dark){${themeRules("dark")}}`;
}
