import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { json } from "../../src/reporters/json.js";
import {
  cleanReport,
  hostileNames,
  hostileReport,
  plain,
  sampleFile,
  sampleReport,
} from "./sample-report.js";

const schema = JSON.parse(
  readFileSync(new URL("../../schema/report.schema.json", import.meta.url), "utf8"),
) as object;
const validate = new Ajv2020({ allErrors: true, strict: true }).compile(schema);

function errorsOf(text: string): unknown {
  return validate(JSON.parse(text)) ? [] : validate.errors;
}

describe("json", () => {
  it("prints the contract, its keys in order", () => {
    const [, , typo] = sampleFile.diagnostics;
    if (typo === undefined) throw new Error("The sample has three findings.");
    const report = { ...sampleReport, files: [{ ...sampleFile, diagnostics: [typo] }] };
    expect(json(report, plain)).toMatchInlineSnapshot(`
      "{
        "schemaVersion": 1,
        "tool": {
          "name": "promptpack",
          "version": "0.1.0"
        },
        "files": [
          {
            "file": "packs/codegen.pack.yaml",
            "specVersion": "1.4.1",
            "diagnostics": [
              {
                "rule": "unknown-event-target",
                "severity": "error",
                "message": "State \\"test\\" sends TestsFailed to \\"implemnt\\", which is not a state. Did you mean \\"implement\\"?",
                "pointer": "/workflow/states/test/on_event/TestsFailed",
                "range": {
                  "start": {
                    "line": 12,
                    "column": 22
                  },
                  "end": {
                    "line": 12,
                    "column": 32
                  }
                },
                "related": [
                  {
                    "message": "\\"implement\\" is defined here.",
                    "pointer": "/workflow/states/implement",
                    "range": {
                      "start": {
                        "line": 6,
                        "column": 5
                      },
                      "end": {
                        "line": 6,
                        "column": 14
                      }
                    }
                  }
                ],
                "data": {
                  "nearest": "implement"
                },
                "fix": {
                  "description": "Write \\"implement\\".",
                  "unsafe": true,
                  "edits": [
                    {
                      "range": {
                        "start": {
                          "line": 12,
                          "column": 22
                        },
                        "end": {
                          "line": 12,
                          "column": 32
                        }
                      },
                      "text": "\\"implement\\""
                    }
                  ]
                },
                "docs": "https://example.org/rules/unknown-event-target.html"
              }
            ]
          }
        ],
        "summary": {
          "files": 1,
          "errors": 1,
          "warnings": 0,
          "infos": 0
        }
      }
      "
    `);
  });

  it("prints a run as it is", () => {
    const parsed = JSON.parse(json(sampleReport, plain)) as {
      files: { diagnostics: { trace?: { steps: unknown[]; loopFrom: number } }[] }[];
    };
    const trace = parsed.files[0]?.diagnostics[1]?.trace;
    expect(Object.keys(trace ?? {})).toEqual(["steps", "loopFrom"]);
    expect(trace?.steps).toHaveLength(22);
    expect(trace?.steps.at(-1)).toEqual({
      from: "review",
      event: "ChangesNeeded",
      to: "review",
      forced: ["implement"],
    });
  });

  it("omits empty values", () => {
    const [first] = sampleFile.diagnostics;
    if (first === undefined) throw new Error("The sample has findings.");
    const empty = {
      ...first,
      related: [],
      data: {},
      trace: { steps: [] },
      fix: { description: "x", edits: [] },
    };
    const reportOf = (diagnostic: typeof first): string =>
      json({ ...sampleReport, files: [{ ...sampleFile, diagnostics: [diagnostic] }] }, plain);
    expect(reportOf(empty)).toBe(reportOf(first));
  });

  it("is valid by its own schema", () => {
    expect(errorsOf(json(sampleReport, plain))).toEqual([]);
    expect(errorsOf(json(cleanReport, plain))).toEqual([]);
    expect(errorsOf(json({ ...cleanReport, files: [] }, plain))).toEqual([]);
  });

  it.each(hostileNames)("keeps %j as it is", (name) => {
    const text = json(hostileReport(name), plain);
    expect(errorsOf(text)).toEqual([]);
    const parsed = JSON.parse(text) as { files: { file: string }[] };
    expect(parsed.files[0]?.file).toBe(`a/${name}.json`);
  });

  it.each([
    ["a line 0", '"line": 6,', '"line": 0,'],
    ["a pointer without slash", '"pointer": "/workflow', '"pointer": "workflow'],
    ["another version", '"schemaVersion": 1', '"schemaVersion": 2'],
    ["an unknown severity", '"severity": "error"', '"severity": "fatal"'],
    ["an unknown key", '"schemaVersion": 1', '"schemaVersion": 1, "more": 1'],
  ])("has a schema that rejects %s", (_, right, wrong) => {
    const text = json(sampleReport, plain);
    expect(text).toContain(right);
    expect(errorsOf(text.replace(right, wrong))).not.toEqual([]);
  });
});
