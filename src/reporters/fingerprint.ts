import { claimOf, compareDiagnostics, type Diagnostic, type Suppressed } from "../diagnostic.js";
import { numberRepeats } from "../text/collections.js";
import type { FileReport } from "./report.js";

export type FingerprintedFinding = ReturnType<typeof fingerprintFindings>[number];

/**
 * All findings of a file in order, including suppressed ones, so that suppressing one does not renumber the others. The
 * hash covers file, rule, pointer and claim, so it survives edits elsewhere; duplicates get an ordinal.
 */
export function fingerprintFindings(file: FileReport) {
  const all: { readonly diagnostic: Diagnostic; readonly suppressed?: Suppressed }[] = [
    ...file.diagnostics.map((diagnostic) => ({ diagnostic })),
    ...file.suppressed.map((suppressed) => ({ diagnostic: suppressed.diagnostic, suppressed })),
  ];
  all.sort((a, b) => compareDiagnostics(a.diagnostic, b.diagnostic));
  const hashes = all.map(({ diagnostic }) => {
    const { rule, pointer, stablePointer = pointer } = diagnostic;
    return textHash(JSON.stringify([file.file, rule, stablePointer, claimOf(diagnostic)]));
  });
  // Unique within the file, and the same in the next run.
  const fingerprints = numberRepeats(hashes, (hash, ordinal) => `${hash}:${ordinal}`);
  return all.map((finding, index) => ({ ...finding, fingerprint: fingerprints[index] ?? "" }));
}

/** A 64-bit hash in hex digits; not cryptographic. */
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

function mixBits(word: number): number {
  const half = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  const mixed = Math.imul(half ^ (half >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

function toHex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, "0");
}
