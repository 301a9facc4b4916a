import type { Fault } from "./document.js";
import { faultAt, maxFaults, quoteSource } from "./fault.js";

/** A line that a merge wrote between the sides it could not join. */
const conflictMarker = /^([<|=>])\1{6}(?=[ \t\r\n]|$)[^\r\n]*/gm;

type FindFaults = (text: string) => readonly Fault[];

/** The conflicts that a merge left in a broken text, and what else is wrong with the side that it names first. */
export function findFaultsAndConflicts(text: string, faultsOf: FindFaults): readonly Fault[] {
  const { faults, firstSide } = keepFirstSide(text, findConflictMarkers(text, faultsOf));
  if (faults.length === 0) return faultsOf(text);
  return [...faults, ...faultsOf(firstSide)].sort((a, b) => a.start - b.start).slice(0, maxFaults);
}

function keepFirstSide(
  text: string,
  markers: readonly RegExpExecArray[],
): { faults: Fault[]; firstSide: string } {
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
  kept.push(text.slice(at));
  return { faults: faults.slice(0, maxFaults), firstSide: kept.join("") };
}

/** A lone line between two sides may be a text: it is left over only where it is itself what cannot be read. */
function findConflictMarkers(text: string, faultsOf: FindFaults): readonly RegExpExecArray[] {
  const markers = [...text.matchAll(conflictMarker)];
  if (markers.some(([, mark]) => mark !== "=")) return markers;
  const lone = markers.filter(([line]) => line.trimEnd() === "=======");
  if (lone.length === 0) return lone;
  const faulty = new Set(faultsOf(text).map(({ start }) => start));
  return lone.filter(({ index }) => faulty.has(index));
}

function conflictMessage(mark: string | undefined, line: string): string {
  return mark === "<"
    ? 'A merge conflict starts here; choose what to keep, and remove the lines that start with "<<<<<<<", "=======" and ">>>>>>>".'
    : `${quoteSource(line.trimEnd())} is left over from a merge conflict; remove the line.`;
}

/** Places stay what they were. */
function blankOut(text: string): string {
  return text.replace(/[^\r\n]/g, " ");
}
