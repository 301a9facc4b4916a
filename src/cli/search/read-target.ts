import type { Document, Limits } from "../../document/document.js";
import { formatOf } from "../../document/format-of.js";
import { readDocument } from "../../document/read.js";
import { bytesOf, type Target } from "./discover.js";

/** Nothing where it cannot be read, which is told when it is linted. */
export function readTarget(target: Target, limits: Limits): Document | undefined {
  const bytes = bytesOrNothing(target, limits.maxBytes);
  return bytes && readDocument(bytes, formatOf(target.file, bytes), limits);
}

function bytesOrNothing(target: Target, limit: number): Uint8Array | undefined {
  try {
    return bytesOf(target, limit);
  } catch {
    return undefined;
  }
}
