import { Analysis, type Findings, isRunnable, type RunnableAnalysis } from "../../../src/analysis.js";
import { defaultLimits, detectFormat } from "../../../src/document/file-format.js";
import { readDocument } from "../../../src/document/read.js";
import { createDocument, withBom } from "../../../src/document/text-document.js";
import { type CheckedText, withVerifiedFixes } from "../../../src/fix/apply-fixes.js";
import type { Prover } from "../../../src/fix/proved-fixes.js";
import { lintProject } from "../../../src/project-findings.js";
import { Project } from "../../../src/sources/project.js";
import { kindOf, looksLikeSource, type OpenedFile, type Opener } from "../../../src/sources/source-file.js";
import { nearestName, suggestName } from "../../../src/text/names.js";
import { maxFiles, splitFiles } from "../files.js";

const absent = "does not exist";

/** The first text may be a source, and the others its files. */
export function analyze(all: string): Analysis {
  const files = splitFiles(all);
  const [first = { name: "", text: "" }] = files;
  const texts = new Map(files.map(({ name, text }) => [name, text]));
  const open = ({ name, text }: typeof first): OpenedFile => ({
    name,
    // The pack has the name of the folder.
    path: `project/${name}`,
    document: readDocument(text, detectFormat(name, text)),
  });
  const opener: Opener = (from, reference, kind) => {
    const path = resolve(from.name, reference);
    if (isOutside(path)) return { fault: "is outside of the folder of the project" };
    const text = texts.get(path);
    if (text === undefined) {
      const near = from.name.includes("/") ? undefined : nearestName(path, texts.keys());
      return { fault: absent, advice: near && suggestName(reference, near) };
    }
    if (kind !== "text") return open({ name: path, text });
    return { name: path, path: `project/${path}`, document: createDocument(text, "yaml", {}) };
  };
  const opened = open(first);
  const { document } = opened;
  const kind = (["Arena", "PromptConfig", "Tool"] as const).find((each) =>
    document.root === undefined ? looksLikeSource(document.text, each) : kindOf(document) === each,
  );
  if (kind === undefined) return new Analysis("<source>", document);
  return analyzeProject(new Project(opened, kind, opener, defaultLimits));
}

/** With only those fixes that would be made; the fixes of a project are in the offsets of all its texts. */
export function lintAnalysis(analysis: Analysis): Findings {
  const { analyze, lint } = proverFor(analysis);
  const found = lint(analysis);
  const check = (other: string): CheckedText => lint(analyze(other));
  return { ...found, kept: withVerifiedFixes(analysis.document.text, found, check) };
}

type Linter = Omit<Prover, "lint"> & { readonly lint: (analysis: Analysis) => Findings };

export function proverFor({ file, document: { format }, project }: Analysis): Linter {
  if (project === undefined)
    return {
      analyze: (text, work) => new Analysis(file, readDocument(withBom(text), format), { work }),
      lint: (analysis) => analysis.lint({}),
    };
  const read = (text: string, { document }: OpenedFile) => readDocument(withBom(text), document.format);
  return {
    analyze: (text, work) => analyzeProject(project.withText(text, read, defaultLimits), work),
    lint: (analysis) => lintProject(analysis, analysis.project ?? project, () => ({})),
  };
}

function analyzeProject(project: Project, work?: Parameters<Prover["analyze"]>[1]): Analysis {
  return new Analysis(project.first.name, project.document, { project, work });
}

/** The files that others name, and that nobody has written yet. */
export function missingFiles({ project }: Analysis): readonly string[] {
  if (project?.head === undefined) return [];
  const listed = project.listed.filter(
    ({ fault, reference: { isRequired } }) => isRequired && fault?.fault === absent,
  );
  const names = listed.map(({ by, reference }) => resolve(by.name, reference.file.text));
  return [...new Set(names)].filter((name) => name !== "").slice(0, maxFiles);
}

/** The name of a file that another file names. */
function resolve(from: string, reference: string): string {
  if (reference.startsWith("/")) return reference;
  const parts = from.split("/").slice(0, -1);
  for (const part of reference.split("/")) {
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

function isOutside(path: string): boolean {
  return /^(?:\/|\.\.(?:\/|$))/.test(path);
}

/** The analysis of a pack that can be drawn and simulated, or why this one cannot be. */
export function runsOf(analysis: Analysis): RunnableAnalysis | { readonly missing: string } {
  if (analysis.pack === undefined) return { missing: "The pack cannot be read; the findings say why." };
  return isRunnable(analysis) ? analysis : { missing: "The pack has no workflow with states." };
}
