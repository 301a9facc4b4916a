import type { YAMLParseError } from "yaml";
import { quoteSource } from "../shown.js";
import { describeEarlyEnd } from "./yaml-early-ends.js";
import { describeMixedList } from "./yaml-list-items.js";
import { lineAt, previousLine } from "../yaml/yaml-sections.js";
import { tabMessage } from "../yaml/yaml-words.js";

/** What the parser that recovers says, at a place in the whole text. */
export type YamlSyntaxError = Pick<YAMLParseError, "code" | "message" | "pos">;

export function describeSyntaxError(text: string, error: YamlSyntaxError): string {
  const found = quoteSource(text.slice(error.pos[0], Math.max(error.pos[1], error.pos[0] + 1)).trim());
  switch (error.code) {
    case "ALIAS_PROPS":
      return "An alias cannot have an anchor or a tag of its own.";
    case "BAD_ALIAS":
      return 'A name is missing or wrong after "&" or "*"; put text that starts with them in quotes.';
    case "BAD_DIRECTIVE":
      return "This directive is not valid; only %YAML and %TAG are known.";
    case "BAD_DQ_ESCAPE":
      return `${quoteSource(text.slice(error.pos[0], error.pos[0] + 2))} is not an escape that YAML knows; write "\\\\" for a backslash.`;
    case "BAD_INDENT":
      return describeIndent(error.message);
    case "BAD_PROP_ORDER":
      return 'Anchors and tags go after "-", "?" or ":", directly before the value.';
    case "BAD_SCALAR_START":
      return `Text cannot start with ${found} unless it is in quotes.`;
    case "BLOCK_IN_FLOW":
      return text.startsWith("-", error.pos[0]) ? dashInBracketsMessage : noCommaMessage;
    case "KEY_OVER_1024_CHARS":
      return "A key can have at most 1024 characters.";
    case "MISSING_CHAR":
      return describeMissing(text, error);
    case "MULTIPLE_ANCHORS":
      return "A value can have only one anchor.";
    case "MULTIPLE_TAGS":
      return "A value can have only one tag.";
    case "TAB_AS_INDENT":
      return tabMessage;
    case "TAG_RESOLVE_FAILED":
      return `The tag ${found} is not valid; put text that starts with "!" in quotes.`;
    default:
      return describeUnexpected(text, error, found);
  }
}

const dashInBracketsMessage = "Between brackets, values are separated by commas, not by lines and dashes.";
const noCommaMessage = 'Separate the entries with commas, and put text that contains ": " in quotes.';

export const indentationMismatch = "The indentation of this line does not match that of the lines before it.";

/** The bracket that should have ended a collection, as the parser says of it. */
export function missingClosingBracket(message: string): string | undefined {
  return /end with a ([\]}])/.exec(message)?.[1];
}

function describeIndent(message: string): string {
  const bracket = missingClosingBracket(message);
  if (bracket !== undefined)
    return `A bracket is still open here; close it with "${bracket}" or indent this line further.`;
  return indentationMismatch;
}

function describeMissing(text: string, { message, pos: [at] }: YamlSyntaxError): string {
  if (message.startsWith("Sequence item without")) return indentationMismatch;
  // Without a blank before it, this is no entry of its own.
  const isGlued = /^["'][^\s"']/.test(text.slice(at - 1, at + 1));
  if (message.includes(","))
    return (isGlued ? describeEarlyEnd(text, at) : undefined) ?? describeMissingComma(text, at);
  return "Something is missing here; check the punctuation and spaces around it.";
}

function describeMissingComma(text: string, at: number): string {
  const [, name] = /(?:^|[\s{,])([\w.$-]+)[ \t]*$/.exec(text.slice(Math.max(0, at - maxNameLength), at)) ?? [];
  const isColon = name !== undefined && /[[{]/.test(text.charAt(at));
  return `A comma is missing between the entries${isColon ? `, or a colon after ${quoteSource(name)}` : ""}.`;
}

const maxNameLength = 100;

function describeUnexpected(text: string, { message, pos: [at] }: YamlSyntaxError, found: string): string {
  if (message.startsWith("Block scalar header") || isAfterHeader(text, at))
    return 'Only a comment may follow "|" or ">" on the same line.';
  if (message.includes("same line with key")) return "A list must start on the line after its key.";
  if (message.startsWith("Unexpected , in flow")) return "A value is missing before this comma.";
  const surplus = /^Unexpected flow-(?:seq|map)-end/.test(message) ? adviseOnExtraBracket(text, at) : undefined;
  if (surplus !== undefined) return `${found} is unexpected here; ${surplus}.`;
  const early = message.endsWith("at node end") ? describeEarlyEnd(text, at) : undefined;
  return (
    early ??
    describeMixedList(text, at) ??
    `${found} is unexpected here; check the indentation, and put text with special characters in quotes.`
  );
}

function isAfterHeader(text: string, at: number): boolean {
  return /(?:^|\s)[|>][-+0-9]*[ \t]+$/.test(text.slice(lineAt(text, at).start, at));
}

/** What to do about a bracket that closes none, where the lines around it tell. */
function adviseOnExtraBracket(text: string, at: number): string | undefined {
  const line = lineAt(text, at);
  const before = text.slice(line.body, at);
  const [, key] = /^(?:- +)*([\w.-]+):[[{]/.exec(before) ?? [];
  if (key !== undefined) return `put a space after the colon of "${key}:"`;
  const above = previousLine(text, line);
  const goesOn = above !== undefined && /[,[{]\s*$/.test(text.slice(above.body, line.start));
  const isOpen = before.split(/[[{]/).length > before.split(/[\]}]/).length;
  if (goesOn || isOpen) return undefined;
  return "no bracket is open, so remove it, or put text that contains brackets in quotes";
}
