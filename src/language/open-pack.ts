import { Analysis, hasPack, isRunnable } from "../analysis.js";
import type { Document } from "../document/document.js";
import { blankOut } from "../document/scan-text.js";
import { inspectWorkflow } from "../inspect/inspect.js";
import { NameIndex } from "../pack/name-index.js";
import type { Pack } from "../pack/pack.js";
import { lazy } from "../text/collections.js";

/** The pack in one version of a text, and what every feature asks about it, found once. */
export class OpenPack {
  readonly names = lazy(() => new NameIndex(this.pack));
  readonly workflow = lazy(() => {
    const { analysis } = this;
    return isRunnable(analysis)
      ? inspectWorkflow(analysis.workflow, analysis.facts, analysis.pack)
      : undefined;
  });

  private constructor(
    readonly analysis: Analysis,
    readonly pack: Pack,
    readonly isWhole: boolean,
    /** Reads another text in the same way. */
    readonly reopen: (text: string) => OpenPack | undefined,
  ) {}

  /** Undefined if the text holds no object that can be read, not even in part; `known` is an analysis of the text. */
  static in(
    text: string,
    read: (text: string) => Document,
    specVersion: string | undefined,
    known?: Analysis,
  ): OpenPack | undefined {
    const analysis =
      known?.document.root === undefined
        ? new Analysis("", readHalfTyped(text, read), { specVersion })
        : known;
    if (!hasPack(analysis)) return undefined;
    return new OpenPack(analysis, analysis.pack, text.endsWith(analysis.document.text), (other) =>
      OpenPack.in(other, read, specVersion),
    );
  }
}

const maxRepairs = 4;

/** Blanks lines that cannot be read, so that the rest of the file can be, and everything in it keeps its place. */
function readHalfTyped(text: string, read: (text: string) => Document): Document {
  let document = read(text);
  for (let repairs = 0; document.root === undefined && repairs < maxRepairs; repairs++) {
    const tried: Document[] = [];
    for (const repaired of repairedTexts(document)) {
      tried.push(read(repaired));
      if (tried.at(-1)?.root !== undefined) break;
    }
    const [best] = tried.sort((a, b) => progressOf(b) - progressOf(a));
    if (best === undefined) break;
    document = best;
  }
  return document;
}

/** How far a text could be read. */
function progressOf({ root, faults }: Document): number {
  return root === undefined ? (faults[0]?.start ?? 0) : Infinity;
}

/** Without a comma at the fault, the line above it, or its own line: a key without a colon is noticed on the next. */
function* repairedTexts({ text, lines, faults: [fault] }: Document): Generator<string> {
  if (fault === undefined) return;
  if (text.charAt(fault.start) === ",") yield blankOut(text, [{ start: fault.start, end: fault.start + 1 }]);
  const before = text.slice(0, fault.start).trimEnd();
  const own = lines.position(fault.start).line;
  const above = lines.position(Math.max(0, before.length - 1)).line;
  for (const line of new Set([above === own ? own - 1 : above, own])) {
    const start = lines.offset({ line, column: 1 });
    const length = lines.line(line)?.trimEnd().length ?? 0;
    if (length > 0) yield blankOut(text, [{ start, end: start + length }]);
  }
}
