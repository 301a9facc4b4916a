import { severities } from "../../diagnostic.js";
import type { Picture, PictureFinding } from "../picture.js";

const maxFindings = 2_000;
const maxRuns = 50;

/** What a page has room for: numbers of findings and of runs, each with its number on the page. */
export interface PageSelection {
  readonly findings: ReadonlyMap<number, number>;
  readonly runs: ReadonlyMap<number, number>;
}

/** The gravest findings, before all those of states that are drawn, with their runs and the shortest complete one. */
export function selectForPage({ findings, runs }: Picture, drawn: ReadonlySet<string>): PageSelection {
  const weight = ({ severity, nodes }: PictureFinding): number =>
    severities.indexOf(severity) * 2 + (nodes.length > 0 && !nodes.some((id) => drawn.has(id)) ? 1 : 0);
  const byWeight = findings
    .map((finding, index) => ({ index, run: finding.run, weight: weight(finding) }))
    .sort((a, b) => a.weight - b.weight);
  const shown = new Set(findings.map(({ run }) => run));
  const unasked = [...runs.keys()].filter((run) => !shown.has(run));
  const asked = byWeight.flatMap(({ run }) => run ?? []);
  return {
    findings: renumber(byWeight.slice(0, maxFindings).map(({ index }) => index)),
    runs: renumber([...unasked, ...asked].slice(0, maxRuns)),
  };
}

/** In their old order, counted anew. */
function renumber(kept: readonly number[]): ReadonlyMap<number, number> {
  return new Map([...kept].sort((a, b) => a - b).map((old, index) => [old, index]));
}
