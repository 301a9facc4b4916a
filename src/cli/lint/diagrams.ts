import { type Analysis, isRunnable } from "../../analysis.js";
import { withBom } from "../../document/text-document.js";
import type { FileReport } from "../../reporters/report.js";
import type { LintRequest } from "../config/lint-request.js";
import { openAnalysis } from "../files/open-analysis.js";
import type { LintedFile } from "./write-reports.js";

/** More would hide the findings. */
const maxDiagrams = 10;

/** Draws the workflows of the first files for the Markdown report, those with findings first. */
export class Diagrams {
  /** No more than are drawn, since a thousand would fill the memory. */
  private readonly analyses = new Map<string, Analysis>();
  private readonly clean: string[] = [];
  private readonly undrawable = new Set<string>();

  constructor(private readonly request: LintRequest) {}

  keep({ file, diagnostics, analysis, project }: LintedFile): void {
    // Only the head of a project is drawn.
    if (analysis === undefined && project !== undefined) this.undrawable.add(file);
    if (analysis === undefined) return;
    if (!isRunnable(analysis)) {
      this.undrawable.add(file);
      return;
    }
    if (this.analyses.size === maxDiagrams) {
      const replaced = diagnostics.length > 0 ? this.clean.pop() : undefined;
      if (replaced === undefined) return;
      this.analyses.delete(replaced);
    }
    this.analyses.set(file, analysis);
    if (diagnostics.length === 0) this.clean.push(file);
  }

  async addTo(files: readonly FileReport[], linted: readonly LintedFile[]): Promise<readonly FileReport[]> {
    const drawable = new Set(linted.map(({ file }) => file).filter((file) => !this.undrawable.has(file)));
    const drawn = new Map<FileReport, string>();
    // With --quiet, a pack without errors has nothing to show.
    const order = (this.request.quiet ? [true] : [true, false]).flatMap((faulty) =>
      files.filter((file) => file.diagnostics.length > 0 === faulty),
    );
    for (const file of order) {
      if (drawn.size === maxDiagrams) break;
      const diagram = drawable.has(file.file) ? await this.draw(file) : undefined;
      if (diagram !== undefined) drawn.set(file, diagram);
    }
    return files.map((file) => {
      const diagram = drawn.get(file);
      return diagram === undefined ? file : { ...file, diagram };
    });
  }

  private async draw({ file, lines, diagnostics: found }: FileReport): Promise<string | undefined> {
    const { limits, specVersion } = this.request;
    const analysis =
      this.analyses.get(file) ??
      // Its size has been checked before.
      (await openAnalysis(file, withBom(lines.text), {
        limits: { ...limits, maxBytes: Infinity },
        specVersion,
      }));
    if (!isRunnable(analysis)) return undefined;
    const diagnostics = found.map((each) => ({ ...each, pointer: each.packPointer ?? each.pointer }));
    const { draw } = await import("../../drawing/draw.js");
    return (await draw("mermaid", { pack: analysis.pack, facts: analysis.facts, diagnostics })).text;
  }
}
