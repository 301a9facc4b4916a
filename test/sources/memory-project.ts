import { posix } from "node:path";
import { Analysis, type LintSettings } from "../../src/analysis.js";
import { detectFormat, defaultLimits, type Limits } from "../../src/document/file-format.js";
import { readDocument } from "../../src/document/read.js";
import { createDocument } from "../../src/document/text-document.js";
import { lintProject, type ProjectFindings } from "../../src/project-findings.js";
import { compilePack } from "../../src/sources/compile-pack.js";
import { Project } from "../../src/sources/project.js";
import { kindOf, type OpenedFile, type Opener, type SourceKind } from "../../src/sources/source-file.js";

/** Texts by their paths. */
export type Files = Readonly<Record<string, string>>;

export const headName = "desk/arena.yaml";

/** A project whose files are on no disk. */
export function openProject(files: Files, head = headName, limits: Limits = defaultLimits): Project {
  const opened = new Map<string, OpenedFile>();
  const read = (path: string, kind: SourceKind): OpenedFile | undefined => {
    const text = files[path];
    if (text === undefined) return undefined;
    const key = `${kind === "text" ? "text" : "source"} ${path}`;
    const known = opened.get(key);
    if (known !== undefined) return known;
    const document =
      kind === "text"
        ? createDocument(text, "yaml", {})
        : readDocument(text, detectFormat(path, text), limits);
    const file = { name: path, path, document };
    opened.set(key, file);
    return file;
  };
  const open: Opener = (from, reference, kind) =>
    read(posix.join(posix.dirname(from.path), reference), kind) ?? { fault: "does not exist" };
  const first = read(head, "Arena");
  if (first === undefined) throw new Error(`There is no ${head}.`);
  return new Project(first, (kindOf(first.document) ?? "Arena") as SourceKind, open, limits);
}

export function analyze(project: Project): Analysis {
  return new Analysis(project.first.name, project.document, { project });
}

export function findingsOf(project: Project, settings: LintSettings = {}): ProjectFindings {
  return lintProject(analyze(project), project, () => settings);
}

/** The pack of a project, as `promptpack compile --force` prints it. */
export function compiled(project: Project): string {
  const options = { compiledWith: "promptpack-test", createdAt: "2026-01-31T12:00:00Z" };
  return `${JSON.stringify(compilePack(project, options), null, 2)}\n`;
}
