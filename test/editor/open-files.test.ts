import fc from "fast-check";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { TextDocument } from "vscode-languageserver-textdocument";
import { readLintRequest } from "../../src/cli/config/lint-request.js";
import { OpenFiles } from "../../src/cli/editor/open-files.js";

const uri = pathToFileURL("/a.pack.yaml").href;
const text = fc.string({ unit: fc.constantFrom("a", "ä", "😀", "\r", "\n", "\r\n"), maxLength: 12 });
const position = fc.record({ line: fc.nat(15), character: fc.nat(6) });
const range = fc.record({ start: position, end: position });
const change = fc.oneof(
  { weight: 9, arbitrary: fc.record({ range, text }) },
  { weight: 1, arbitrary: fc.record({ text }) },
);

it("has the text of every version, whatever was edited before or after, and wherever", () => {
  fc.assert(
    fc.property(text, fc.array(fc.array(change, { maxLength: 3 }), { maxLength: 8 }), (start, edits) => {
      const files = new OpenFiles("/", readLintRequest({}, "/"));
      files.open(uri, "yaml", 0, start);
      let expected = start;
      const versions = [start];
      const seen = [files.get(uri)?.document];
      for (const [index, changes] of edits.entries()) {
        files.change(uri, index + 1, changes);
        for (const each of changes)
          expected = TextDocument.update(TextDocument.create(uri, "yaml", 0, expected), [each], 1).getText();
        versions.push(expected);
        seen.push(files.get(uri)?.document);
      }
      expect(seen.map((document) => document?.getText())).toEqual(versions);
      expect(seen.map((document) => document?.version)).toEqual([...versions.keys()]);
    }),
  );
});

it("does not count the lines that an edit far beyond the end skips", () => {
  const files = new OpenFiles("/", readLintRequest({}, "/"));
  files.open(uri, "yaml", 0, "a\n");
  const at = (line: number) => ({ line, character: 0 });
  const far = 1_000_000_000;
  files.change(uri, 1, [{ range: { start: at(far), end: at(far + 1) }, text: "b\n" }]);
  for (let version = 2; version < 12; version++)
    files.change(uri, version, [{ range: { start: at(0), end: at(0) }, text: "x" }]);
  expect(files.get(uri)?.document.getText()).toBe("xxxxxxxxxxa\nb\n");
});
