import type { Document, Limits } from "../../document/document.js";
import { detectFormat } from "../../document/format-of.js";
import { readDocument } from "../../document/read.js";
import { readTargetBytes, type Target } from "./discover.js";

/** Nothing where it cannot be read, which is told when it is linted. */
export function readTarget(target: Target, limits: Limits): Document | undefined {
  const bytes = tryReadBytes(target, limits.maxBytes);
  return bytes && readDocument(bytes, detectFormat(target.file, bytes), limits);
}

function tryReadBytes(target: Target, limit: number): Uint8Array | undefined {
  try {
    return readTargetBytes(target, limit);
  } catch {
    return undefined;
  }
}
