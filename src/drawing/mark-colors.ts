import type { Mark } from "./picture.js";

/** What a mark is painted in on a light page: the only one that DOT and Mermaid know. */
export const markColors: Readonly<Record<Mark, { readonly line: string; readonly fill: string }>> = {
  loop: { line: "#cf222e", fill: "#ffebe9" },
  trapped: { line: "#8250df", fill: "#fbefff" },
  held: { line: "#9a6700", fill: "#fff8c5" },
  incomplete: { line: "#bf3989", fill: "#ffeff7" },
  missing: { line: "#cf222e", fill: "#ffffff" },
  unreachable: { line: "#afb8c1", fill: "#f6f8fa" },
};
