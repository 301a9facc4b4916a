import { posix } from "node:path";
import { Analysis, type LintSettings } from "../../src/analysis.js";
import { detectFormat, defaultLimits, type Limits } from "../../src/document/file-format.js";
import { readDocument } from "../../src/document/read.js";
import { createDocument } from "../../src/document/text-document.js";
import { entrySpan, findNode } from "../../src/document/pointers.js";
import { ungroupDiagnostics } from "../../src/lint/collect-diagnostics.js";
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

function analyze(project: Project): Analysis {
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

/** Findings and related places whose pointers and ranges do not belong together. */
export function misplaced(project: Project): readonly string[] {
  const byName = new Map(project.files.map((file) => [file.name, file]));
  return findingsOf(project).files.flatMap(({ file, kept }) =>
    ungroupDiagnostics(kept).flatMap((found) =>
      // The first of two equal keys has the pointer of the last one.
      [found, ...(found.rule === "duplicate-key" ? [] : (found.related ?? []))].flatMap((place) => {
        const own = byName.get(place.file ?? file.name);
        const node = own?.document.root && findNode(own.document.root, place.pointer);
        if (own === undefined || node === undefined)
          return `${found.rule}: no ${place.pointer} in ${place.file}`;
        const { lines } = own.document;
        const { start, end } = entrySpan(node);
        const at = lines.offset(place.range.start);
        const isInside = start <= at && lines.offset(place.range.end) <= end;
        return isInside ? [] : `${found.rule}: ${place.pointer} is not at ${JSON.stringify(place.range)}`;
      }),
    ),
  );
}
