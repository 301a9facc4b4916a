import { YAMLException, type Event } from "js-yaml";
import { mayContainDirectives } from "../../words/directives.js";
import type { Fault, Limits } from "../document.js";
import { ParseError, nestedTooDeep, tooManyValues } from "../refusal.js";
import { TextDocument } from "../text-document.js";
import { YamlBuilder } from "./yaml-builder.js";
import { findComments } from "./yaml-comments.js";
import { parseLeniently } from "./yaml-relax.js";
import { lineAt } from "./yaml-sections.js";
import { findUnknownTags } from "./yaml-tags.js";
import { describeParserReason, isIndentationReason, tabMessage } from "./yaml-words.js";

export function readYaml(text: string, limits: Limits): TextDocument {
  const builder = new YamlBuilder(text, limits);
  let tags: readonly Fault[] = [];
  const faults = () => [...tags, ...builder.faults].sort((a, b) => a.start - b.start);
  try {
    const events = parseWithinLimits(text, limits);
    if (text.includes("!")) tags = findUnknownTags(text, events);
    // Comments matter only where they speak to this tool.
    const comments = mayContainDirectives(text) ? findComments(text, events) : [];
    // Taken from the end, so that events make room for the tree: of a million keys each takes hundreds of megabytes.
    events.reverse();
    for (let event = events.pop(); event !== undefined; event = events.pop()) builder.handle(event);
    const { root, duplicates, aliases } = builder;
    const found = faults();
    if (found.length > 0) return new TextDocument(text, "yaml", { faults: found });
    if (root === undefined || (root.kind === "scalar" && root.start === root.end)) throw emptyFileError();
    return new TextDocument(text, "yaml", { root, duplicateKeys: duplicates, comments, aliases });
  } catch (error) {
    if (error instanceof ParseError) return TextDocument.failed(text, "yaml", error, faults());
    throw error;
  }
}

function emptyFileError(): ParseError {
  return ParseError.rejectionAt({ start: 0, end: 0 }, "The file is empty.", "no-object");
}

function parseWithinLimits(text: string, limits: Limits): Event[] {
  const { maxDepth } = limits;
  try {
    return parseLeniently(text, () => countingDepthLimit(text, limits));
  } catch (error) {
    if (error instanceof ParseError) throw error;
    // The limit was raised above what the stack can bear: raising it further would not help.
    if (error instanceof RangeError)
      throw ParseError.rejectionAt({ start: 0, end: 1 }, "The values are nested too deeply to be read.");
    if (!(error instanceof YAMLException)) throw error;
    const at = error.mark?.position ?? 0;
    if (error.reason.startsWith("nesting exceeded")) throw nestedTooDeep(at, maxDepth);
    throw toSyntaxError(text, at, error.reason);
  }
}

function toSyntaxError(text: string, at: number, reason: string): ParseError {
  const { body } = lineAt(text, at);
  const isTab = text.charAt(body) === "\t" && isIndentationReason(reason);
  const start = isTab ? body : at;
  const end = Math.min(start + 1, text.length);
  return ParseError.syntaxErrorAt({ start, end }, isTab ? tabMessage : describeParserReason(reason));
}

/**
 * The depth for the parser, which counts a scalar, and a flow collection where a key could stand, as a level more; the
 * builder is exact. The parser keeps everything it has read and cannot be stopped, but it asks for the depth at each
 * value: where there may be too many, the answer counts them.
 */
function countingDepthLimit(text: string, { maxDepth, maxValues }: Limits): number {
  const depth = maxDepth + 2;
  if (text.length <= maxValues) return depth;
  let values = 0;
  const watch: unknown = {
    valueOf: () => {
      if (++values > maxValues) throw tooManyValues(0, maxValues);
      return depth;
    },
  };
  return watch as number;
}
