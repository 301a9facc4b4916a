import { requestPrefix } from "../../routes/routes.js";

/** No configuration is larger, and a folder may hold many other files. */
const maxProbeBytes = 1024 * 1024;
/** All that is worth a closer look has it. */
const agenticMarker = Buffer.from("agentic");
/** A request, or the loop, misspelt or not. */
const loopPattern = /agentic(?:\.tool_request\.|[-_]?lo{0,2}p)/u;
/** `pipelines` and `plugins`, misspelt or not. */
const pipelinesPattern = /(?:^|[{,])[\t ]*["']?p[il]\w*["']?[\t ]*:/mu;
/** `pipelines` as others call them: the gateways of a cluster have these too, inside. */
const routesKeyPattern = /(?:^|\{\s*)["']?routes["']?[\t ]*:/mu;

/** Whether a file that was found, not named, is worth reading as routes: it speaks of the loop of RFC-103. */
export function looksLikeRoutes(read: (limit: number) => Uint8Array): boolean {
  try {
    const bytes = Buffer.from(read(maxProbeBytes));
    if (bytes.length > maxProbeBytes || !bytes.includes(agenticMarker)) return false;
    const text = bytes.toString("utf8");
    return loopPattern.test(text) && (pipelinesPattern.test(text) || (text.includes(requestPrefix) && routesKeyPattern.test(text)));
  } catch {
    return false;
  }
}
