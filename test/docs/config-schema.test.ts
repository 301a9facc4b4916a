import { readFileSync } from "node:fs";
import { applyEdits, type JSONPath, modify } from "jsonc-parser";
import { it } from "vitest";
import { rules } from "../../src/rules/index.js";
import { expectFile } from "../expected-file.js";

const path = "schema/config.schema.json";

it("knows every rule, so that editors complete and check their ids", () => {
  const settings = rules.map(({ id, summary }) => [id, { description: summary, $ref: "#/$defs/severity" }]);
  // A file that cannot be read is ignored as a whole.
  const ids = rules.map(({ id }) => id).filter((id) => id !== "parse-error");
  const withIds = setIn(readFileSync(path, "utf8"), ["$defs", "rule", "enum"], ids);
  expectFile(path, setIn(withIds, ["$defs", "rules", "properties"], Object.fromEntries(settings)));
});

/** The JSON text with another value at a place, laid out as it is. */
function setIn(text: string, at: JSONPath, value: unknown): string {
  return applyEdits(text, modify(text, at, value, { formattingOptions: { insertSpaces: true, tabSize: 2 } }));
}
