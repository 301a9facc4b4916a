import type { Span } from "../../diagnostic.js";
import type { NameIndex } from "../../pack/pack-names.js";
import { EditorPositions } from "./editor-places.js";
import type { LintCache } from "./file-checks.js";
import type { OpenFiles } from "./open-files.js";
import type { EditorLocation, PositionParams } from "./protocol.js";

/** Answers where names lead, and from where. */
export class NameLookup {
  constructor(
    private readonly files: OpenFiles,
    private readonly checks: LintCache,
  ) {}

  declarations(params: PositionParams): Promise<EditorLocation[]> {
    return this.find(params, (names, offset) => names.declarationsAt(offset));
  }

  references(params: PositionParams, withDeclaration: boolean): Promise<EditorLocation[]> {
    return this.find(params, (names, offset) => [
      ...(withDeclaration ? names.declarationsAt(offset) : []),
      ...names.usesAt(offset),
    ]);
  }

  private async find(
    { textDocument: { uri }, position }: PositionParams,
    spansIn: (names: NameIndex, offset: number) => readonly Span[],
  ): Promise<EditorLocation[]> {
    const file = this.files.get(uri);
    const names = file && (await this.checks.namesIn(file));
    if (file === undefined || names === undefined) return [];
    const places = new EditorPositions(file.document);
    return spansIn(names, places.offset(position)).map((span) => ({ uri, range: places.span(span) }));
  }
}
