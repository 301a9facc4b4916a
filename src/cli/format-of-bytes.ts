import type { Format } from "../document/document.js";
import { formatOf, formatOfName } from "../document/format-of.js";

const enough = 64 * 1024;

/** The format of a file by its name, or by how its content begins. */
export function formatOfBytes(name: string | undefined, bytes: Uint8Array): Format {
  return formatOfName(name) ?? formatOf(name, new TextDecoder().decode(bytes.subarray(0, enough)));
}
