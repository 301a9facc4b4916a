import { requestPrefix } from "../../routes/routes.js";

/** No configuration is larger, and a folder may hold many other files. */
const mostBytes = 1024 * 1024;
/** All that is worth a closer look has it. */
const mark = Buffer.from("agentic");
/** A request, or the loop, misspelt or not. */
const loop = /agentic(?:\.tool_request\.|[-_]?lo{0,2}p)/u;
/** `pipelines` and `plugins`, misspelt or not. */
const section = /(?:^|[{,])[\t ]*["']?p[il]\w*["']?[\t ]*:/mu;
/** `pipelines` as others call them: the gateways of a cluster have these too, inside. */
const routes = /(?:^|\{\s*)["']?routes["']?[\t ]*:/mu;

/** Whether a file that was found, not named, is worth reading as routes: it speaks of the loop of RFC-103. */
export function looksLikeRoutes(read: (limit: number) => Uint8Array): boolean {
  try {
    const bytes = Buffer.from(read(mostBytes));
    if (bytes.length > mostBytes || !bytes.includes(mark)) return false;
    const text = bytes.toString("utf8");
    return loop.test(text) && (section.test(text) || (text.includes(requestPrefix) && routes.test(text)));
  } catch {
    return false;
  }
}
