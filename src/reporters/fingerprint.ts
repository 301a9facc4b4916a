import { claimOf, compareDiagnostics, type Diagnostic, type Suppressed } from "../diagnostic.js";
import { type FileReport, ordinalsOf, stablePointerOf } from "./report.js";

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

/** 64 bits of a text as hex digits: to tell texts apart, not to withstand someone who wants them to collide. */
export function textHash(text: string): string {
  let left = 0x811c9dc5;
  let right = 0x2545f491;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    left = Math.imul(left ^ unit, 0x01000193);
    right = Math.imul(((right << 5) | (right >>> 27)) ^ unit, 0x9e3779b1);
  }
  return (
    toHex(mixBits(left ^ Math.imul(right, 0x27d4eb2f))) + toHex(mixBits(right ^ Math.imul(left, 0x165667b1)))
  );
}

/** Spreads every bit over the whole word. */
function mixBits(word: number): number {
  const half = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  const most = Math.imul(half ^ (half >>> 13), 0xc2b2ae35);
  return most ^ (most >>> 16);
}

function toHex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, "0");
}
