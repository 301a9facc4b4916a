import { Analysis, type AnalysisOptions, type LintSettings } from "../../analysis.js";
import { lintProject, type ProjectFindings } from "../../project-findings.js";
import type { Project } from "../../sources/project.js";
import type { SourceFile } from "../../sources/source-file.js";
import type { PointerSuppressor } from "../../suppress/suppress.js";
import type { IgnoredFinding } from "../config/config.js";
import { readLintRequest } from "../config/lint-request.js";
import { type Settings, SettingsResolver } from "../config/settings.js";
import { FileError } from "../files/read-file.js";
import { SourceReader } from "../files/source-reader.js";
import { configSuppressor, staleEntriesOf } from "./config-findings.js";
import { fileContext, hiddenParseError, lintOptions, type LintTask, withFixes } from "./lint-file.js";
import type { LintedFile } from "./write-reports.js";
import { Stopwatch } from "../terminal/progress.js";

type ProjectTask = Omit<LintTask, "analysis" | "sources" | "settings" | "bytes"> &
  Pick<AnalysisOptions, "around">;

/** A task that lints, fixes and proves a project as one text; each file has settings of its own. */
export async function projectTask(
  task: ProjectTask,
  project: Project,
  reader: SourceReader,
  settingsFor: (path: string) => Promise<Settings>,
) {
  const { request, baseline, around } = task;
  const { specVersion, limits } = request;
  const byPath = new Map<string, Settings>();
  for (const { path } of project.files) byPath.set(path, await settingsFor(path));
  const read = await reader.syncReader();
  const settingsOf = ({ path }: SourceFile): Settings => {
    const settings = byPath.get(path) ?? byPath.get(project.first.path);
    if (settings === undefined) throw new Error("Every file of a project has settings.");
    return settings;
  };
  const ignoring = new Map<string, PointerSuppressor<IgnoredFinding>>();
  const lintSettings = (file: SourceFile): LintSettings => {
    const { levels, ignoredFindings } = settingsOf(file);
    const ignored = configSuppressor(ignoredFindings);
    ignoring.set(file.path, ignored);
    return {
      ...lintOptions(request),
      ...fileContext(task),
      levels,
      properties: settingsOf(project.first).properties,
      target: settingsOf(project.first).target,
      suppressors: [ignored, ...(baseline === undefined ? [] : [baseline.suppressorFor(file.name)])],
    };
  };
  const analysisOf = (of: Project, options: AnalysisOptions = {}): Analysis =>
    new Analysis(of.first.name, of.document, { specVersion, around, project: of, ...options });
  const sources = {
    analyze: (text: string, work?: AnalysisOptions["work"]) =>
      analysisOf(project.withText(text, read, limits), { work }),
    lint: (analysis: Analysis): ProjectFindings =>
      lintProject(analysis, analysis.project ?? project, lintSettings),
  };
  const settings = settingsOf(project.first);
  const analysis = analysisOf(project);
  return { ...task, bytes: new Uint8Array(), settings, settingsOf, ignoring, analysis, sources };
}

/** The findings of `lint` without other flags: comments and configs count. */
export async function lintOpenedProject(
  analysis: Analysis,
  project: Project,
  cwd: string,
  config: string | false | undefined,
): Promise<ProjectFindings> {
  const request = readLintRequest(config === undefined ? {} : { config }, cwd);
  const resolver = new SettingsResolver(cwd, request);
  const reader = new SourceReader({ cwd, limits: request.limits });
  const { name: file, path } = project.first;
  const task = { file, path, request, stopwatch: new Stopwatch() };
  const { sources } = await projectTask(task, project, reader, (each) => resolver.settingsFor(each));
  return sources.lint(analysis);
}

/** The files of a project with their findings, the head first. */
export async function lintSources(
  task: Awaited<ReturnType<typeof projectTask>>,
  project: Project,
): Promise<readonly LintedFile[]> {
  const { analysis, sources, request, ignoring } = task;
  const findings = sources.lint(analysis);
  const { specVersion, propertyNames } = findings;
  const verified = request.offersFixes
    ? await withFixes(task, analysis, findings, (fixes, check) =>
        fixes.withVerifiedFixes(project.document.text, findings, check),
      )
    : undefined;
  // The findings of the project are those of its files, one after another.
  let index = 0;
  return findings.files.flatMap(({ file, kept: own, suppressed, silentRules }) => {
    const at = index;
    index += own.length;
    const settings = task.settingsOf(file);
    if (settings.ignoredBy !== undefined) return [];
    if (file.document.faults.length > 0 && file.isTemplate !== true && own.length + suppressed.length === 0)
      throw new FileError(hiddenParseError);
    const isFirst = file === project.first;
    const { ignoredFindings } = settings;
    const ignored = ignoring.get(file.path) ?? configSuppressor(ignoredFindings);
    return {
      file: file.name,
      specVersion,
      diagnostics: own.map((found, offset) => {
        const isMade = verified === undefined || verified[at + offset]?.fix !== undefined;
        if (isMade || found.fix === undefined) return found;
        const { fix: _, ...rest } = found;
        return rest;
      }),
      suppressed,
      silentRules,
      propertyNames: isFirst ? propertyNames : [],
      staleEntries: staleEntriesOf(file.document, ignoredFindings, ignored, silentRules),
      lines: project.linesOf(file),
      settings,
      ...(project.head && { project: project.head.name }),
      ...(isFirst && { analysis }),
    };
  });
}
