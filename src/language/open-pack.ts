import type { Document } from "../document/document.js";
import { blankOut } from "../document/scan-text.js";
import { inspectWorkflow } from "../inspect/inspect.js";
import { buildMachine } from "../machine/machine.js";
import { findFacts } from "../machine/verdicts.js";
import { NameIndex } from "../pack/name-index.js";
import type { Pack } from "../pack/pack.js";
import { readPack } from "../pack/read-pack.js";
import { resolveSpec } from "../schema/spec-version.js";
import { lazy } from "../text/collections.js";

/** The pack in one version of a text, and what every feature asks about it, found once. */
export class OpenPack {
  readonly names = lazy(() => new NameIndex(this.pack));
  readonly facts = lazy(() => {
    const { workflow } = this.pack;
    return workflow && workflow.states.length > 0 ? findFacts(buildMachine(workflow)) : undefined;
  });
  readonly workflow = lazy(() => {
    const facts = this.facts();
    return this.pack.workflow && facts && inspectWorkflow(this.pack.workflow, facts, this.pack);
  });

  private constructor(
    readonly pack: Pack,
    readonly isWhole: boolean,
    /** Reads another text in the same way. */
    readonly reopen: (text: string) => OpenPack | undefined,
  ) {}

  /** Undefined if the text holds no object that can be read, not even in part. */
  static in(
    text: string,
    read: (text: string) => Document,
    specVersion: string | undefined,
  ): OpenPack | undefined {
    const document = readHalfTyped(text, read);
    const { root } = document;
    if (root?.kind !== "mapping") return undefined;
    const pack = readPack(document, root, resolveSpec(root, specVersion));
    return new OpenPack(pack, text.endsWith(document.text), (other) => OpenPack.in(other, read, specVersion));
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
