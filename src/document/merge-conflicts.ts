import { type Fault, faultAt, maxFaults, quoteSource } from "./document.js";

const conflictMarker = /^([<|=>])\1{6}(?=[ \t\r\n]|$)[^\r\n]*/gm;

type FindFaults = (text: string) => readonly Fault[];

/** The merge conflicts in a broken text, and the faults of the text with the first side of each. */
export function findFaultsAndConflicts(text: string, findFaults: FindFaults): readonly Fault[] {
  const markers = findConflictMarkers(text, findFaults);
  if (markers.length === 0) return findFaults(text);
  const faults: Fault[] = [];
  const kept: string[] = [];
  let at = 0;
  let isOpen = false;
  let isOther = false;
  for (const { 0: line, 1: mark, index } of markers) {
    const before = text.slice(at, index);
    kept.push(isOther ? blankOut(before) : before, blankOut(line));
    at = index + line.length;
    if (mark === "<" || !isOpen) faults.push(faultAt(index, at, conflictMessage(mark, line)));
    if (mark === "<") isOpen = true;
    if (mark === ">") isOpen = false;
    isOther = isOpen && mark !== "<";
  }
  faults.push(...findFaults(kept.join("") + text.slice(at)));
  return faults.sort((a, b) => a.start - b.start).slice(0, maxFaults);
}

/** A lone "=======" may be text, so it counts only if there is a fault at it. */
function findConflictMarkers(text: string, findFaults: FindFaults): readonly RegExpExecArray[] {
  const markers = [...text.matchAll(conflictMarker)];
  if (markers.some(([, mark]) => mark !== "=")) return markers;
  const lone = markers.filter(([line]) => line.trimEnd() === "=======");
  if (lone.length === 0) return lone;
  const faulty = new Set(findFaults(text).map(({ start }) => start));
  return lone.filter(({ index }) => faulty.has(index));
}

function conflictMessage(mark: string | undefined, line: string): string {
  return mark === "<"
    ? 'A merge conflict starts here; choose what to keep, and remove the lines that start with "<<<<<<<", "=======" and ">>>>>>>".'
    : `${quoteSource(line.trimEnd())} is left over from a merge conflict; remove the line.`;
}

/** Keeps all offsets and lines. */
function blankOut(text: string): string {
  return text.replace(/[^\r\n]/g, " ");
}
