import { describe, expect, it } from "vitest";
import { readDocument } from "../../src/document/read.js";
import { faultsOf } from "./nodes-of.js";

const endsEarly =
  "The text in quotes ends before this; put quotes around the whole value, and escape those inside it.";
const unexpected =
  "is unexpected here; check the indentation, and put text with special characters in quotes.";
const otherIndentation = "The indentation of this line does not match that of the lines before it.";

const ofText =
  'is not a key with a value; add the missing colon, or indent the line; text on several lines needs "|" after its key.';

const pack = `# A bot that sorts mail.
id: mail-bot
name: Mail bot
version: 1.0.0
description: >-
  Sorts the mail
  and answers it.
template_engine: { version: v1, syntax: "{{variable}}" }
fragments:
  tone: "Be kind."
prompts:
  sort:
    id: sort
    name: Sort
    version: 1.0.0
    system_template: |
      Sort the mail of {{company}}.
      Customer: {{customer}}
      Emit Bill or Other.
    variables: &vars
      - name: company
        type: string
        required: true
      - name: customer
        type: string
        required: false
    tags: [mail, sort]
  answer:
    id: answer
    name: Answer
    version: 1.0.0
    system_template: Answer politely.
    variables: *vars
workflow:
  version: 1
  entry: sort
  states:
    sort:
      prompt_task: sort
      on_event: { Bill: answer, Other: answer }
    answer:
      prompt_task: answer
      terminal: true
`;

/** A part of the pack, its replacement, and the only fault reported then. */
const edits: [string, string, string][] = [
  [
    "# A bot that sorts mail.",
    "```yaml",
    '1:1-1:8 "```yaml" is not a key with a value; remove this line of Markdown, or indent it below a key with "|" if it is text.',
  ],
  [
    "# A bot that sorts mail.",
    "```yaml\n# A bot that sorts mail.",
    '1:1-1:8 "```yaml" is not a key with a value; remove this line of Markdown, or indent it below a key with "|" if it is text.',
  ],
  [
    "      terminal: true\n",
    "      terminal: true\n```\n",
    '44:1-44:4 "```" is not a key with a value; remove this line of Markdown, or indent it below a key with "|" if it is text.',
  ],
  [
    "      Customer: {{customer}}\n",
    "    ```json\n    {}\n    ```\n",
    '18:5-18:12 "```json" is not a key with a value; remove this line of Markdown, or indent it below a key with "|" if it is text.',
  ],
  [
    "Answer politely.",
    "\n      ```\n      {}\n      ```",
    '33:7-33:10 "```" is not a key with a value; remove this line of Markdown, or indent it below a key with "|" if it is text.',
  ],
  ["    name: Sort", '    "name: Sort', `14:5-14:16 "\\"name: Sort" ${ofText}`],
  ["    name: Sort", '    "name: "Sort"', `14:5-14:13 "name: " ${ofText}`],
  ["    name: Sort", "    'name: Sort' # it", `14:5-14:17 "'name: Sort'" ${ofText}`],
  [
    "Answer politely.",
    '\n    "Note: answer."',
    '33:5-33:20 "Note: answer." is not a key with a value; add the missing colon, or indent the line; text on several lines needs "|" after its key.',
  ],
  ["    name: Sort", "\tname: Sort", "14:1-14:2 A tab cannot indent a line in YAML; use spaces."],
  ["      Customer: {{", "\tCustomer: {{", "18:1-18:2 A tab cannot indent a line in YAML; use spaces."],
  ["      - name: company", "\t- name: company", "21:1-21:2 A tab cannot indent a line in YAML; use spaces."],
  [
    "      - name: customer",
    "\t- name: customer",
    "24:1-24:2 A tab cannot indent a line in YAML; use spaces.",
  ],
  [
    "    name: Sort",
    "   name: Sort",
    "14:4-14:5 The indentation of this line does not match that of the lines before it.",
  ],
  [
    "    name: Sort",
    "     name: Sort",
    "14:6-14:16 This line is indented as if it belonged to the value before it; indent it like the lines around it, or put the whole value in quotes.",
  ],
  [
    "  answer:\n    id",
    " answer:\n    id",
    "28:2-28:3 The indentation of this line does not match that of the lines before it.",
  ],
  [
    "  entry: sort",
    " entry: sort",
    "36:2-36:3 The indentation of this line does not match that of the lines before it.",
  ],
  [
    "        type: string",
    "       type: string",
    "22:8-22:9 The indentation of this line does not match that of the lines before it.",
  ],
  [
    "      Customer: {{",
    "  Customer: {{",
    '18:13-18:15 Text cannot start with "{{" unless it is in quotes, or in a block after "|".',
  ],
  [
    "      Emit Bill",
    "   Emit Bill",
    "19:4-19:5 The indentation of this line does not match that of the lines before it.",
  ],
  [
    "on_event: { Bill: answer, Other: answer }",
    "on_event:\n        Bill: answer\n        - Other: answer",
    `42:9-42:24 ${otherIndentation}`,
  ],
  ["    answer:\n      prompt", "    - answer:\n      prompt", `41:5-41:14 ${otherIndentation}`],
  [
    "      - name: customer\n        type",
    "        - name: customer\n          type",
    `24:9-24:25 ${otherIndentation}`,
  ],
  ["    tags: [mail, sort]", "    tags:\n      - mail\n    - sort", `29:5-29:11 ${otherIndentation}`],
  ["    tags: [mail, sort]", "    tags:\n      - mail\n      sort", `29:7-29:11 "sort" ${unexpected}`],
  ["      - name: customer", "      name: customer", `24:7-24:11 "name" ${unexpected}`],
  [
    "      - name: company\n        type: string",
    "      - name: company\n      type: string",
    `22:7-22:11 "type" ${unexpected}`,
  ],
  [
    "prompts:",
    "prompts",
    '11:1-11:8 "prompts" is not a key with a value; add the missing colon, or indent the line.',
  ],
  [
    "  sort:\n    id",
    "  sort\n    id",
    '12:3-12:7 "sort" is not a key with a value; add the missing colon, or indent the line.',
  ],
  [
    "    sort:\n",
    "    sort\n",
    '38:5-38:9 "sort" is not a key with a value; add the missing colon, or indent the line.',
  ],
  [
    "name: Mail",
    "name:Mail",
    '3:1-3:14 "name:Mail bot" is not a key with a value; put a space after the colon.',
  ],
  [
    "    name: Answer",
    "    name:Answer",
    '30:5-30:16 "name:Answer" is not a key with a value; put a space after the colon.',
  ],
  [
    "    name: Answer",
    "    name Answer",
    '30:5-30:16 "name Answer" is not a key with a value; add the missing colon, or indent the line; text on several lines needs "|" after its key.',
  ],
  [
    "      Emit Bill or Other.",
    "    Emit Bill or Other.",
    '19:5-19:24 "Emit Bill or Other." is not a key with a value; add the missing colon, or indent the line; text on several lines needs "|" after its key.',
  ],
  [
    "    name: Answer",
    "    // the name",
    '30:5-30:16 "// the name" is not a key with a value; add the missing colon, or indent the line; text on several lines needs "|" after its key.',
  ],
  [
    "    name: Answer",
    "    name:\u00a0Answer",
    "30:10-30:11 YAML reads a no-break space as text; use a plain space.",
  ],
  [
    "      - name: customer",
    "      -\u3000name: customer",
    "24:8-24:9 YAML reads a special space as text; use a plain space.",
  ],
  [
    "      - name: company",
    "      -name: company",
    '21:7-21:8 "-name: company" is not a list entry; put a space after "-".',
  ],
  [
    "      - name: customer",
    "      -name: customer",
    '24:7-24:8 "-name: customer" is not a list entry; put a space after "-".',
  ],
  [
    "  sort:\n    id",
    "\u00a0\u00a0sort:\n    id",
    "12:1-12:2 YAML reads a no-break space as text; use a plain space.",
  ],
  [
    "    version: 1.0.0",
    "\u00a0\u00a0\u00a0\u00a0version: 1.0.0",
    "15:1-15:2 YAML reads a no-break space as text; use a plain space.",
  ],
  ["answer }", "answer }}", `40:48-40:49 "}" ${unexpected}`],
  ["[mail, sort]", "[mail, sort]]", `27:23-27:24 "]" ${unexpected}`],
  [
    "answer }",
    "answer",
    '41:5-41:6 A bracket is still open here; close it with "}" or indent this line further.',
  ],
  [
    "[mail, sort]",
    "[mail, sort",
    '28:3-28:4 A bracket is still open here; close it with "]" or indent this line further.',
  ],
  [
    "[mail, sort]",
    "[mail, sort}",
    '27:22-27:23 A bracket is still open here; close it with "]" or indent this line further.',
  ],
  ["[mail, sort]", '["mail" sort]', "27:19-27:20 A comma is missing between the entries."],
  ["[mail, sort]", '["mail""sort"]', "27:18-27:19 A comma is missing between the entries."],
  ["[mail, sort]", "['customer's', sort]", `27:22-27:23 ${endsEarly}`],
  ["[mail, sort]", "[mail,, sort]", `27:17-27:18 "," ${unexpected}`],
  [
    "Bill: answer, Other",
    "Bill: answer Other",
    '40:25-40:46 Separate the entries with commas, and put text that contains ": " in quotes.',
  ],
  [
    "Bill: answer, Other",
    "Bill: answer\n        Other",
    '40:25-40:31 Separate the entries with commas, and put text that contains ": " in quotes.',
  ],
  [
    "[mail, sort]",
    "[\n      - mail\n    ]",
    '28:7-28:13 Separate the entries with commas, and put text that contains ": " in quotes.',
  ],
  [
    '"Be kind."',
    '"Be kind.',
    "10:9-10:18 This text in quotes is not closed; close it, or indent the lines that continue it.",
  ],
  ['"Be kind."', "'It's kind.'", `10:13-10:21 ${endsEarly}`],
  ['"Be kind."', `'It's "kind".'`, `10:13-10:23 ${endsEarly}`],
  ['"Be kind."', '"Be "very" kind."', `10:14-10:26 ${endsEarly}`],
  ['"Be kind."', '"Don\'t be "un"kind."', `10:20-10:29 ${endsEarly}`],
  ['"Be kind."', '"Be\\n"very" kind."', `10:15-10:27 ${endsEarly}`],
  ['"Be kind."', '"Be\n    "very" kind."', `11:6-11:18 ${endsEarly}`],
  [
    '"Be kind."',
    '"Be \\kind."',
    '10:13-10:15 "\\k" is not an escape that YAML knows; write "\\\\" for a backslash.',
  ],
  ['"Be kind."', '"Be" kind.', `10:14-10:19 ${endsEarly}`],
  [
    '"{{variable}}"',
    "\u201c{{variable}}\u201d",
    '8:41-8:42 "“" is not a quote in YAML; use straight quotes.',
  ],
  [
    '"{{variable}}"',
    '"{{variable}}',
    "8:41-8:56 This text in quotes is not closed; close it, or indent the lines that continue it.",
  ],
  [
    "Answer politely.",
    "Answer: politely.",
    '32:22-32:39 A value on the same line as its key cannot contain ": "; put it in quotes or on a new line.',
  ],
  [
    "Answer politely.",
    "Answer\n      politely, and\n      note: be kind.",
    "34:7-34:21 This line is indented as if it belonged to the value before it; indent it like the lines around it, or put the whole value in quotes.",
  ],
  [
    "Answer politely.",
    "Answer\n      politely, but note: be kind.",
    "33:7-33:35 This line is indented as if it belonged to the value before it; indent it like the lines around it, or put the whole value in quotes.",
  ],
  [
    "Answer politely.",
    "{{answer}}\n      politely.",
    '32:22-32:24 Text cannot start with "{{" unless it is in quotes, or in a block after "|".',
  ],
  [
    "Answer politely.",
    "\n      {{answer}}\n      politely.",
    '33:7-33:9 Text cannot start with "{{" unless it is in quotes, or in a block after "|".',
  ],
  [
    "Answer politely.",
    "# as a block\n      {{answer}}\n\n        politely: yes.",
    '33:7-33:9 Text cannot start with "{{" unless it is in quotes, or in a block after "|".',
  ],
  [
    "Answer politely.",
    "|\n        {{answer}}\n      politely.",
    "34:7-34:8 The indentation of this line does not match that of the lines before it.",
  ],
  [
    "    name: Answer",
    "    {{name}}: Answer",
    '30:6-30:7 A mapping cannot be a key; put text that starts with "{{" in quotes.',
  ],
  ["Answer politely.", '"Answer",', `32:30-32:31 "," ${unexpected}`],
  ["[mail, sort]", "[mail, sort],", `27:23-27:24 "," ${unexpected}`],
  [
    "Answer politely.",
    '"Answer\n  politely."',
    "32:22-32:29 This text in quotes is not closed; close it, or indent the lines that continue it.",
  ],
  [
    "Answer politely.",
    "{{answer}} politely.",
    '32:22-32:24 Text cannot start with "{{" unless it is in quotes.',
  ],
  ["Answer politely.", "@all politely.", '32:22-32:23 Text cannot start with "@" unless it is in quotes.'],
  [
    "Answer politely.",
    "**Answer** politely.",
    '32:22-32:23 Text cannot start with "*" unless it is in quotes.',
  ],
  ["Answer politely.", "[mail] Answer.", '32:22-32:23 Text cannot start with "[" unless it is in quotes.'],
  ["Answer politely.", "[mail](x) [y]", '32:22-32:23 Text cannot start with "[" unless it is in quotes.'],
  ["Answer politely.", "{name} asks.", '32:22-32:23 Text cannot start with "{" unless it is in quotes.'],
  ["Answer politely.", "[mail, post] Answer.", `32:35-32:42 "Answer." ${unexpected}`],
  ["Answer politely.", "{to: name} Answer.", `32:33-32:40 "Answer." ${unexpected}`],
  ["Answer politely.", "| Answer", '32:24-32:30 Only a comment may follow "|" or ">" on the same line.'],
  ["Answer politely.", ">- Answer", '32:25-32:31 Only a comment may follow "|" or ">" on the same line.'],
  ["Answer politely.", "|Answer", '32:23-32:24 Only a comment may follow "|" or ">" on the same line.'],
  ["Answer politely.", "- Answer", `32:22-32:23 "-" ${unexpected}`],
  [
    "system_template: |",
    "system_template:",
    '17:7-17:36 "Sort the mail of {{company}}." is not a key with a value; add the missing colon, or indent the line; text on several lines needs "|" after its key.',
  ],
  [
    "      - name: company\n",
    "      - description: # of it\n          The company\n          Note: it may be new.\n        name: company\n",
    '22:11-22:22 "The company" is not a key with a value; add the missing colon, or indent the line; text on several lines needs "|" after its key.',
  ],
  // A text without "|" that contains a colon.
  [
    "Answer politely.",
    "\n      Answer this request: {{request}}\n      When done emit Answered.",
    `34:7-34:31 "When done emit Answered." ${ofText}`,
  ],
  [
    "Answer politely.",
    "\n      Role: first contact of ACME.\n      Company is {{company}}\n      {{fragments.tone}}",
    `34:7-34:29 "Company is {{company}}" ${ofText}`,
  ],
  [
    "Answer politely.",
    "\n      Follow these rules:\n        - Be kind.\n      Then answer.",
    `35:7-35:19 "Then answer." ${ofText}`,
  ],
  [
    '"Be kind."',
    "\n    Note: {{a}} b\n    Be kind.",
    '11:11-11:13 Text cannot start with "{{" unless it is in quotes.',
  ],
  [
    "      - name: company\n",
    "      - name: company\n        description:\n          Note: it may be new.\n          Ask who knows it.\n",
    `24:11-24:28 "Ask who knows it." ${ofText}`,
  ],
  [
    "Answer politely.",
    "Answer for {{company}}\n      Customer: {{customer}}\n      {{fragments.tone}}",
    "33:7-33:29 This line is indented as if it belonged to the value before it; indent it like the lines around it, or put the whole value in quotes.",
  ],
  [
    "Answer politely.",
    "\n      Role: helper\n      Politely",
    '34:7-34:15 "Politely" is not a key with a value; add the missing colon, or indent the line.',
  ],
  [
    "    system_template: Answer politely.\n",
    "    system_template: Answer politely.\n      Note: briefly\n",
    "33:7-33:20 This line is indented as if it belonged to the value before it; indent it like the lines around it, or put the whole value in quotes.",
  ],
  // These are keys.
  [
    "on_event: { Bill: answer, Other: answer }",
    "on_event:\n        Bill: answer\n        Other: answer\n        Sort all other mail.",
    '43:9-43:29 "Sort all other mail." is not a key with a value; add the missing colon, or indent the line; text on several lines needs "|" after its key.',
  ],
  [
    "on_event: { Bill: answer, Other: answer }",
    "on_event:\n        Bill: answer\n          Other: answer",
    "42:11-42:24 This line is indented as if it belonged to the value before it; indent it like the lines around it, or put the whole value in quotes.",
  ],
  [
    "    system_template: Answer politely.\n",
    "    system_template: Answer politely.\n      tags: [mail]\n",
    "33:7-33:19 This line is indented as if it belonged to the value before it; indent it like the lines around it, or put the whole value in quotes.",
  ],
  // Plain text on several lines is valid.
  [
    "Answer politely.",
    "\n      Answer the mail\n      politely.\n   tags: []",
    `35:4-35:5 ${otherIndentation}`,
  ],
  [
    "      - name: company\n        type: string\n        required: true\n",
    "      -name: company\n",
    '21:7-21:8 "-name: company" is not a list entry; put a space after "-".',
  ],
  ["&vars", "&vars &more", `20:22-20:27 "&more" ${unexpected}`],
  [
    "      on_event: {",
    "      on_event: {{",
    '41:5-41:6 A bracket is still open here; close it with "}" or indent this line further.',
  ],
  [
    "id: mail-bot",
    "id: mail-bot: x",
    '2:5-2:16 A value on the same line as its key cannot contain ": "; put it in quotes or on a new line.',
  ],
];

describe("one mistake", () => {
  it("starts from a pack without any", () => {
    expect(faultsOf(readDocument(pack, "yaml"))).toEqual([]);
  });

  it.each(edits)("%j in place of %j is one fault", (from, to, fault) => {
    expect(pack).toContain(from);
    expect(
      faultsOf(
        readDocument(
          pack.replace(from, () => to),
          "yaml",
        ),
      ),
    ).toEqual([fault]);
  });
});
