export const tabMessage = "A tab cannot indent a line in YAML; use spaces.";

/** Sentences for what the YAML parser says, told by how it starts. */
const messagesByReason: readonly (readonly [string, string])[] = [
  ["a line break is expected", 'Only a comment may follow "|" or ">" on the same line.'],
  ["a whitespace character is expected after", "A space is missing after this colon."],
  ["alias node should not", "An alias cannot have an anchor or a tag of its own."],
  ["bad explicit indentation", 'The indentation after "|" or ">" must be a digit from 1 to 9.'],
  [
    "bad indentation of a mapping",
    "This is unexpected here; check the indentation, and put text with special characters in quotes.",
  ],
  [
    "bad indentation of a sequence",
    "The indentation of this list entry does not match that of the entries before it.",
  ],
  ["can not read a block mapping entry", "A key must be on one line; is a colon missing on the line before?"],
  [
    "deficient indentation",
    "Indent this line further than the key: it belongs to the bracket or quote that the key opens.",
  ],
  ["directives end mark", 'A line with "---" is missing after the directives.'],
  ["duplication of a tag", "A value can have only one tag."],
  ["duplication of an anchor", "A value can have only one anchor."],
  [
    "end of the stream or a document separator",
    "This is unexpected here; check the indentation of this line and the one before.",
  ],
  ["expected ':' after a mapping key", "A colon is missing after this key."],
  ["expected hexadecimal character", "This escape needs more hexadecimal digits."],
  ["expected the node content", "A value is missing before this comma."],
  [
    "expected valid JSON character",
    "Text in quotes cannot contain control characters; write them as escapes.",
  ],
  ["missed comma", "A comma is missing between the entries."],
  ["name of an alias", 'A name is missing after "*"; put text that starts with "*" in quotes.'],
  ["name of an anchor", 'A name is missing after "&"; put text that starts with "&" in quotes.'],
  ["null byte", "A YAML file cannot contain a NUL character."],
  ["repeat of", 'Each sign after "|" or ">" may appear only once.'],
  ["tab characters must not", tabMessage],
  [
    "the stream contains non-printable",
    "A YAML file cannot contain this control character; write it as an escape in double quotes.",
  ],
  ["undeclared tag handle", 'This tag is not declared; put text that starts with "!" in quotes.'],
  ["unexpected end of the document within", "The document ends before this text in quotes is closed."],
  [
    "unexpected end of the stream within a double",
    "The file ends before the text in double quotes is closed.",
  ],
  ["unexpected end of the stream within a flow", "The file ends before a bracket is closed."],
  [
    "unexpected end of the stream within a single",
    "The file ends before the text in single quotes is closed.",
  ],
  ["unexpected end of the stream within a verbatim", 'The file ends before a tag is closed with ">".'],
  ["unknown escape sequence", 'This is not an escape that YAML knows; write "\\\\" for a backslash.'],
];

export function describeParserReason(reason: string): string {
  const known = messagesByReason.find(([start]) => reason.startsWith(start));
  return known?.[1] ?? `The file is not valid YAML: ${reason}.`;
}

export function isIndentationReason(reason: string): boolean {
  return reason.includes("indentation");
}
