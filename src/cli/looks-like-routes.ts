import { loopPlugin, requestPrefix } from "../routes/routes.js";
import { readRegularFile } from "./read-file.js";

/** No configuration is larger, and a folder may hold many other files. */
const mostBytes = 1024 * 1024;
const marks = [requestPrefix, loopPlugin, "allowed_plugins"].map((mark) => Buffer.from(mark));
/** `pipelines` and `plugins`, misspelt or not. */
const section = /(?:^|[{,])[\t ]*["']?p[il]\w*["']?[\t ]*:/mu;

/** Whether a file that was found, not named, is worth reading as routes: it speaks of the loop of RFC-103. */
export function looksLikeRoutes(path: string): boolean {
  try {
    const bytes = Buffer.from(readRegularFile(path, mostBytes));
    if (bytes.length > mostBytes || !marks.some((mark) => bytes.includes(mark))) return false;
    return section.test(bytes.toString("utf8"));
  } catch {
    return false;
  }
}
