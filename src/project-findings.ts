import {
  type Analysis,
  type Findings,
  type LintSettings,
  type RawFindings,
  withStablePointers,
} from "./analysis.js";
import {
  compareDiagnostics,
  type Diagnostic,
  type RelatedPlace,
  type Span,
  type Suppression,
  type TextEdit,
  type TraceStep,
} from "./diagnostic.js";
import { asMapping } from "./document/node.js";
import { isWithin } from "./document/pointers.js";
import { checkDocument } from "./lint/check-record.js";
import { groupDiagnostics, toDiagnostic, ungroupDiagnostics } from "./lint/collect-diagnostics.js";
import { noLevels } from "./lint/run-rules.js";
import { parseError } from "./rules/file-rules.js";
import { unusedSuppression } from "./rules/linting-rules.js";
import { sourceShape, sourceTemplate } from "./rules/tables/source-rules.js";
import type { Project } from "./sources/project.js";
import type { SourceFile } from "./sources/source-file.js";
import { suppressByComments } from "./suppress/comments.js";
import { type SilentRules, silentRulesIn, suppress } from "./suppress/suppress.js";
import { getOrCreate } from "./text/collections.js";

/** The findings in one file of a project, in the offsets of `Project.linesOf`. */
export interface FileFindings extends Suppression {
  readonly file: SourceFile;
  readonly silentRules: SilentRules;
}

export interface ProjectFindings extends Findings {
  /** Every file with its settings, the head first. What the project as a whole has kept is on the number line. */
  readonly files: readonly FileFindings[];
}

/** Lints a project once for each set of levels that its files have; each file is then judged by its own settings. */
export function lintProject(
  analysis: Analysis,
  project: Project,
  settingsOf: (file: SourceFile) => LintSettings,
): ProjectFindings {
  const { first, files } = project;
  const settings = settingsOf(first);
  const rounds = new Map<LintSettings["levels"], Round>();
  const roundFor = ({ levels }: LintSettings): Round =>
    getOrCreate(rounds, levels, () => new Round(analysis, project, { ...settings, levels }));
  const round = roundFor(settings);
  const silentRules = round.silentRules(settings.levels);
  const checked = files.map((file) => {
    const own = settingsOf(file);
    const found = roundFor(own).findingsIn(file);
    return { file, silentRules, ...suppressIn(file, found, own, silentRules) };
  });
  const grouped = regroup(checked);
  const ofPack = (file: SourceFile, found: Diagnostic) => inPack(file.name, found);
  const { specVersion, propertyNames } = round.raw;
  return {
    specVersion,
    propertyNames,
    silentRules,
    root: project.document.root,
    kept: grouped.flatMap(({ file, kept }) => kept.map((found) => ofPack(file, found))),
    suppressed: grouped.flatMap(({ file, suppressed }) =>
      suppressed.map((each) => ({ ...each, diagnostic: ofPack(file, each.diagnostic) })),
    ),
    files: grouped.map(({ file, kept, suppressed, ...rest }) => ({
      ...rest,
      file,
      kept: kept.map((found) => asSeenFrom(project, file, found)),
      suppressed: suppressed.map((each) => ({
        ...each,
        diagnostic: asSeenFrom(project, file, each.diagnostic),
      })),
    })),
  };
}

function suppressIn(
  { document, base }: SourceFile,
  found: readonly Diagnostic[],
  { levels = noLevels, inlineConfig, stablePointers, suppressors = [] }: LintSettings,
  silentRules: SilentRules,
): Suppression {
  const kept = stablePointers ? withStablePointers(document.root, found) : found;
  const all = { kept, suppressed: [] };
  const left = inlineConfig === false ? all : suppressByComments(document, all, levels, silentRules);
  const { kept: last, suppressed } = suppressors.reduce(suppress, left);
  return {
    kept: last.map((each) => (each.rule === unusedSuppression.id ? shifted(each, base) : each)),
    suppressed,
  };
}

/** Only what is found about comments has the offsets of the file until here. */
function shifted({ fix, ...found }: Diagnostic, by: number): Diagnostic {
  const edits = fix?.edits.map(({ start, end, text }) => ({ start: start + by, end: end + by, text }));
  return { ...found, ...(fix && edits && { fix: { ...fix, edits } }) };
}

/** The findings of all rules at one set of levels. */
class Round {
  readonly raw: RawFindings;
  private readonly byFile = new Map<string, Diagnostic[]>();

  constructor(
    analysis: Analysis,
    private readonly project: Project,
    settings: LintSettings,
  ) {
    const { first, files, grafted } = project;
    for (const file of files) {
      const isRead = file.kind !== "text" && file.isTemplate !== true;
      const found = isRead ? checkDocument(file.document, { levels: settings.levels }) : [];
      const own = { file: file.name, ...(project.head && { project: project.head.name }) };
      this.byFile.set(
        file.name,
        found.map((each) => ({ ...shifted(each, file.base), ...own })),
      );
    }
    if (grafted.hasTooManyValues) this.byFile.get(first.name)?.push(tooManyValues(project));
    const isReadable = first.document.root !== undefined && !grafted.hasTooManyValues;
    const about = analysis.checkSources(settings);
    const isTemplate = first.isTemplate === true;
    this.raw = isReadable
      ? analysis.checkPack(settings)
      : { specVersion: analysis.spec.version, diagnostics: [], lacking: new Set(), propertyNames: undefined };
    const isShapeOn = settings.levels?.get(sourceShape) !== "off";
    for (const found of ungroupDiagnostics(about)) {
      if (isTemplate && found.rule !== sourceTemplate) continue;
      this.add(found, undefined);
    }
    for (const found of ungroupDiagnostics(this.raw.diagnostics))
      if (!this.isAnswered(found, isShapeOn)) this.add(found, found.pointer);
  }

  /** In a project where a file has an error, any rule may be silent. */
  silentRules(levels = noLevels): SilentRules {
    const { project, raw } = this;
    const faulty = project.files.find(({ document }) => document.faults.length > 0);
    const all = [...this.byFile.values()].flat();
    return silentRulesIn(faulty?.document ?? project.document, all, levels, raw.lacking);
  }

  findingsIn({ name }: SourceFile): readonly Diagnostic[] {
    return groupDiagnostics((this.byFile.get(name) ?? []).toSorted(compareDiagnostics));
  }

  private add(found: Diagnostic, packPointer: string | undefined): void {
    const { project } = this;
    const at = project.document.lines.offsetOf(found);
    const file = project.fileAt(at);
    const place = { pointer: found.pointer, start: at, end: at };
    const pointer = packPointer === undefined ? found.pointer : project.placeInFile(place).pointer;
    const { related, file: _, ...rest } = found;
    this.byFile.get(file.name)?.push({
      ...rest,
      file: file.name,
      pointer,
      ...(packPointer !== undefined && { packPointer }),
      ...(project.head && { project: project.head.name }),
      ...(related && { related: related.map((each) => this.relatedPlace(each, packPointer !== undefined)) }),
    });
  }

  private relatedPlace(place: RelatedPlace, isOfPack: boolean): RelatedPlace {
    const { project } = this;
    const isOther = place.file !== undefined && !project.files.some(({ name }) => name === place.file);
    if (isOther) return place;
    const start = project.document.lines.offsetOf(place);
    const { pointer, file } = project.placeInFile({ pointer: place.pointer, start, end: start });
    return { ...place, file: file.name, pointer: isOfPack ? pointer : place.pointer };
  }

  /** Whether a finding in the pack repeats one about the sources, or rests on a file that is not there. */
  private isAnswered({ rule, pointer, data }: Diagnostic, isShapeOn: boolean): boolean {
    const { head, grafted } = this.project;
    const { unread, lacking, root } = grafted;
    if (head === undefined && /^\/(?:id|name|prompts)$/u.test(pointer)) return true;
    if ([...unread].some((each) => isWithin(pointer, each))) return true;
    if (rule === "schema" && pointer === "/prompts" && lacking.get(root)?.has("prompts") === true)
      return true;
    const isEntry = /^\/(?:prompts|tools)\/[^/]*$/u.test(pointer);
    return isShapeOn && rule === "schema" && isEntry && data?.["keyword"] === "required";
  }
}

function tooManyValues({ first, maxValues, head }: Project): Diagnostic {
  const { document } = first;
  const at = asMapping(document.root)?.get("kind") ?? { pointer: "", start: 0, end: 0 };
  const message = `The project holds more than ${maxValues} values.`;
  const finding = { at, message, advice: '"--max-values" raises the limit.' };
  const found = toDiagnostic(document, parseError, "error", finding);
  return { ...found, file: first.name, ...(head && { project: head.name }) };
}

/** Each group is reported once in the project, at its first place in the first of its files. */
function regroup(files: readonly FileFindings[]): readonly FileFindings[] {
  const all = files.flatMap(({ kept }) => ungroupDiagnostics(kept));
  const byFile = new Map<string, Diagnostic[]>();
  for (const found of groupDiagnostics(all)) {
    const { file = "" } = found;
    getOrCreate(byFile, file, () => []).push(relativeTo(file, found));
  }
  return files.map((each) => {
    const { name } = each.file;
    const suppressed = each.suppressed.map((one) => ({
      ...one,
      diagnostic: relativeTo(name, one.diagnostic),
    }));
    return { ...each, kept: (byFile.get(name) ?? []).sort(compareDiagnostics), suppressed };
  });
}

/** Without the name of the file that it is in anyway. */
function relativeTo(own: string, { file, related, members, ...found }: Diagnostic): Diagnostic {
  return {
    ...found,
    ...(file !== undefined && file !== own && { file }),
    ...(related && {
      related: related.map(({ file: other, ...place }) => ({
        ...place,
        ...(other !== undefined && other !== own && { file: other }),
      })),
    }),
    ...(members && { members: members.map((member) => relativeTo(own, member)) }),
  };
}

/** As the pack as a whole has it, with its pointers. */
function inPack(name: string, { packPointer, pointer, members, ...found }: Diagnostic): Diagnostic {
  return {
    ...found,
    file: found.file ?? name,
    pointer: packPointer ?? `${found.file ?? name}#${pointer}`,
    ...(members && { members: members.map((member) => inPack(name, member)) }),
  };
}

/** In the offsets of its file. A fix that changes other files, too, is for those who fix the whole project. */
function asSeenFrom(project: Project, file: SourceFile, found: Diagnostic): Diagnostic {
  const { fix, trace, members, ...rest } = found;
  const isOwn = ({ start, end }: TextEdit) => project.fileAt(start) === file && project.fileAt(end) === file;
  const seen = <Part extends Span>(part: Part): Part => ({ ...part, ...project.seenFrom(file, part) });
  const step = (each: TraceStep): TraceStep => ({ ...each, ...(each.at && { at: seen(each.at) }) });
  return {
    ...rest,
    ...(trace && { trace: { ...trace, steps: trace.steps.map(step) } }),
    ...(fix?.edits.every(isOwn) === true && { fix: { ...fix, edits: fix.edits.map(seen) } }),
    ...(members && { members: members.map((member) => asSeenFrom(project, file, member)) }),
  };
}
