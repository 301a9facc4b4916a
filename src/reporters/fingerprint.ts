import { claimOf, compareDiagnostics, type Diagnostic, type Suppressed } from "../diagnostic.js";
import { ordinalsOf } from "./ordinals.js";
import { stablePointerOf, type FileReport } from "./report.js";
import { textHash } from "./text-hash.js";

/** A finding with the name by which it is known again in the next run. */
export interface FingerprintedFinding {
  readonly diagnostic: Diagnostic;
  readonly fingerprint: string;
  readonly suppressed?: Suppressed;
}

/**
 * All findings of a file in their order, the silenced ones too: what is silenced must not rename the rest. A
 * fingerprint tells rule, pointer and meaning, so it survives edits elsewhere in the file; twins are numbered.
 */
export function fingerprintFindings(file: FileReport): FingerprintedFinding[] {
  const all: { diagnostic: Diagnostic; suppressed?: Suppressed }[] = [
    ...file.diagnostics.map((diagnostic) => ({ diagnostic })),
    ...file.suppressed.map((suppressed) => ({ diagnostic: suppressed.diagnostic, suppressed })),
  ];
  all.sort((a, b) => compareDiagnostics(a.diagnostic, b.diagnostic));
  const prints = fingerprints(
    file,
    all.map(({ diagnostic }) => diagnostic),
  );
  return all.map((found, index) => ({ ...found, fingerprint: prints[index] ?? "" }));
}

/**
 * One unique fingerprint per finding of a file, in the order given. It tells the file, which the prints of a baseline do
 * not: platforms keep the findings of all files in one list.
 */
export function fingerprints(
  file: Pick<FileReport, "file" | "stablePointers">,
  diagnostics: readonly Diagnostic[],
): string[] {
  const hashes = diagnostics.map((diagnostic) => {
    const pointer = stablePointerOf(file, diagnostic);
    return textHash(JSON.stringify([file.file, diagnostic.rule, pointer, claimOf(diagnostic)]));
  });
  const ordinals = ordinalsOf(hashes);
  return hashes.map((hash, index) => `${hash}:${ordinals[index]}`);
}
