export const tabMessage = "A tab cannot indent a line in YAML; use spaces.";

/** Sentences for what the YAML parser says, told by how it starts. */
const sentences: readonly (readonly [string, string])[] = [
  ["a line break is expected", 'Nothing but a comment may follow "|" or ">" on its line.'],
  ["a whitespace character is expected after", "A space is missing after this colon."],
  ["alias node should not", "An alias can have no anchor and no tag of its own."],
  ["bad explicit indentation", "The indentation of a block of text is a digit from 1 to 9."],
  [
    "bad indentation of a mapping",
    "This does not fit here; check the indentation, and put text with special marks in quotes.",
  ],
  [
    "bad indentation of a sequence",
    "The indentation of this list entry does not match that of the entries before it.",
  ],
  ["can not read a block mapping entry", "A key must be on one line; is a colon missing on the line before?"],
  [
    "deficient indentation",
    "This line must be indented further than the key whose bracket or quote it continues or closes.",
  ],
  ["directives end mark", 'A line with "---" is missing after the directives.'],
  ["duplication of a tag", "A value can have only one tag."],
  ["duplication of an anchor", "A value can have only one anchor."],
  [
    "end of the stream or a document separator",
    "This does not fit here; check the indentation of this line and the one before.",
  ],
  ["expected ':' after a mapping key", "A colon is missing after this key."],
  ["expected hexadecimal character", "This escape needs more hexadecimal digits."],
  ["expected the node content", "A value is missing before this comma."],
  ["expected valid JSON character", "Text in quotes cannot hold control characters; write them as escapes."],
  ["missed comma", "A comma is missing between the entries."],
  ["name of an alias", 'A name is missing after "*"; put text that starts with "*" in quotes.'],
  ["name of an anchor", 'A name is missing after "&"; put text that starts with "&" in quotes.'],
  ["null byte", "A YAML file cannot hold a NUL character."],
  ["repeat of", 'Each sign after "|" or ">" may be there only once.'],
  ["tab characters must not", tabMessage],
  [
    "the stream contains non-printable",
    "A YAML file cannot hold this control character; write it as an escape in double quotes.",
  ],
  ["undeclared tag handle", 'This tag is not declared; put text that starts with "!" in quotes.'],
  ["unexpected end of the document within", "The document ends before this text in quotes is closed."],
  ["unexpected end of the stream within a double", "The file ends before a text in double quotes is closed."],
  ["unexpected end of the stream within a flow", "The file ends before a bracket is closed."],
  ["unexpected end of the stream within a single", "The file ends before a text in single quotes is closed."],
  ["unexpected end of the stream within a verbatim", 'The file ends before a tag is closed with ">".'],
  ["unknown escape sequence", 'This is not an escape that YAML knows; write "\\\\" for a backslash.'],
];

export function describeYaml(reason: string): string {
  const known = sentences.find(([start]) => reason.startsWith(start));
  return known?.[1] ?? `The file is not valid YAML: ${reason}.`;
}

export function isAboutIndent(reason: string): boolean {
  return reason.includes("indentation");
}
