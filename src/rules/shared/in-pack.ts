import type { Place } from "../../diagnostic.js";
import type { RunReplay } from "../../replay/run-replay.js";

/** Findings are shown in the record; this says where in the pack to look. */
export function inPack({ ground }: RunReplay, place: Place | undefined): string {
  if (place === undefined) return "";
  return ` (line ${ground.pack.document.lines.position(place.start).line} of the pack)`;
}
