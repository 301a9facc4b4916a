import { readFileSync } from "node:fs";
import { Ajv, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { sarif } from "../../src/reporters/sarif.js";
import type { Report } from "../../src/reporters/report.js";
import { promptpack } from "../cli/harness.js";
import { isFull } from "../runs.js";
import {
  cleanReport,
  codegenSteps,
  hostileNames,
  hostileReport,
  plain,
  sampleFile,
  sampleReport,
} from "./sample-report.js";

interface Log {
  readonly runs: readonly [{ readonly results: readonly Result[] }];
}

interface Result {
  readonly ruleId: string;
  readonly message: { readonly text: string };
  readonly locations: readonly [{ readonly physicalLocation: { artifactLocation: { uri: string } } }];
  readonly partialFingerprints: { readonly primaryLocationLineHash: string };
  readonly suppressions?: readonly object[];
  readonly codeFlows?: readonly {
    threadFlows: readonly { locations: readonly { location: FlowLocation }[] }[];
  }[];
}

interface FlowLocation {
  readonly message: { readonly text: string };
  readonly physicalLocation: { readonly region: { readonly startLine: number } };
}

/** Only the full tests have the schema that OASIS published at hand. Its words of draft 04 mean the same in draft 07. */
function officialSchema(): ValidateFunction {
  const path = "tools/node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json";
  const { $schema, id, ...schema } = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
  const ajv = new Ajv({ allErrors: true, strict: false, unicodeRegExp: false });
  addFormats.default(ajv);
  return ajv.compile(schema);
}

const isValid = isFull ? officialSchema() : undefined;

function errorsOf(text: string): unknown {
  return isValid === undefined || isValid(JSON.parse(text)) ? [] : isValid.errors;
}

function resultsOf(report: Report): readonly Result[] {
  return (JSON.parse(sarif(report, plain)) as Log).runs[0].results;
}

describe("sarif", () => {
  it("has what code scanning needs", () => {
    const [first, , typo] = sampleFile.diagnostics;
    if (first === undefined || typo === undefined) throw new Error("The sample has three findings.");
    const suppressed = [{ diagnostic: first, by: "comment" as const, reason: "As agreed." }];
    const file = { ...sampleFile, diagnostics: [typo], suppressed };
    const tool = { ...sampleReport.tool, homepage: "https://example.org" };
    expect(sarif({ ...sampleReport, tool, files: [file] }, plain)).toMatchInlineSnapshot(`
      "{
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [
          {
            "tool": {
              "driver": {
                "name": "promptpack",
                "version": "0.1.0",
                "informationUri": "https://example.org",
                "rules": [
                  {
                    "id": "forced-exit-chain",
                    "shortDescription": {
                      "text": "No forced exit leads to another guard."
                    },
                    "fullDescription": {
                      "text": "No forced exit leads to another guard."
                    },
                    "help": {
                      "text": "No forced exit leads to another guard. Source: RFC 0009 rule 2."
                    },
                    "defaultConfiguration": {
                      "level": "note"
                    }
                  },
                  {
                    "id": "unbounded-loop",
                    "shortDescription": {
                      "text": "Every loop has to end."
                    },
                    "fullDescription": {
                      "text": "Every loop has to end."
                    },
                    "help": {
                      "text": "Every loop has to end. Source: RFC 0009."
                    },
                    "defaultConfiguration": {
                      "level": "warning"
                    }
                  },
                  {
                    "id": "unknown-event-target",
                    "shortDescription": {
                      "text": "Every event leads to a state."
                    },
                    "fullDescription": {
                      "text": "Every event leads to a state."
                    },
                    "help": {
                      "text": "Every event leads to a state. Source: RFC 0005."
                    },
                    "helpUri": "https://example.org/rules/unknown-event-target.html",
                    "defaultConfiguration": {
                      "level": "error"
                    }
                  }
                ]
              }
            },
            "invocations": [
              {
                "executionSuccessful": true
              }
            ],
            "columnKind": "utf16CodeUnits",
            "results": [
              {
                "ruleId": "forced-exit-chain",
                "ruleIndex": 0,
                "level": "note",
                "message": {
                  "text": "Short."
                },
                "locations": [
                  {
                    "physicalLocation": {
                      "artifactLocation": {
                        "uri": "packs/codegen.pack.yaml"
                      },
                      "region": {
                        "startLine": 4,
                        "startColumn": 3,
                        "endLine": 5,
                        "endColumn": 9
                      }
                    }
                  }
                ],
                "partialFingerprints": {
                  "primaryLocationLineHash": "17832b0a487b03be:1"
                },
                "suppressions": [
                  {
                    "kind": "inSource",
                    "justification": "As agreed."
                  }
                ]
              },
              {
                "ruleId": "unknown-event-target",
                "ruleIndex": 2,
                "level": "error",
                "message": {
                  "text": "State \\"test\\" sends TestsFailed to \\"implemnt\\", which is not a state. Did you mean \\"implement\\"?"
                },
                "locations": [
                  {
                    "physicalLocation": {
                      "artifactLocation": {
                        "uri": "packs/codegen.pack.yaml"
                      },
                      "region": {
                        "startLine": 12,
                        "startColumn": 22,
                        "endLine": 12,
                        "endColumn": 32
                      }
                    }
                  }
                ],
                "partialFingerprints": {
                  "primaryLocationLineHash": "2effc5bc5db5729e:1"
                },
                "relatedLocations": [
                  {
                    "id": 1,
                    "physicalLocation": {
                      "artifactLocation": {
                        "uri": "packs/codegen.pack.yaml"
                      },
                      "region": {
                        "startLine": 6,
                        "startColumn": 5,
                        "endLine": 6,
                        "endColumn": 14
                      }
                    },
                    "message": {
                      "text": "\\"implement\\" is defined here."
                    }
                  }
                ],
                "suppressions": []
              }
            ]
          }
        ]
      }
      "
    `);
  });

  it("shows a run step by step, and where it repeats", () => {
    const [, loop] = resultsOf(sampleReport);
    const texts = loop?.codeFlows?.[0]?.threadFlows[0]?.locations.map((step) => step.location.message.text);
    expect(texts).toHaveLength(22);
    expect(texts?.slice(0, 2)).toEqual(["plan ─PlanReady→ implement", "implement ─CodeReady→ test"]);
    expect(texts?.at(-1)).toBe("From here on it repeats: review ─ChangesNeeded→ implement ⇒ review");
  });

  it("locates each step of a run at its line", async () => {
    const example = "examples/codegen.pack.yaml";
    const { stdout } = await promptpack(["lint", "--no-config", "-f", "sarif", example], { cwd: "." });
    expect(errorsOf(stdout)).toEqual([]);
    const { results } = (JSON.parse(stdout) as Log).runs[0];
    const loop = results.find(({ ruleId }) => ruleId === "unbounded-loop");
    const lines = readFileSync(example, "utf8").split("\n");
    const steps = loop?.codeFlows?.[0]?.threadFlows[0]?.locations.map(({ location }) => {
      const { startLine } = location.physicalLocation.region;
      return `${location.message.text} | ${lines[startLine - 1]?.trim()}`;
    });
    expect([...new Set(steps)]).toEqual([
      "plan ─PlanReady→ implement | PlanReady: implement",
      "implement ─CodeReady→ test | CodeReady: test",
      "test ─TestsFailed→ implement | TestsFailed: implement",
      "test ─TestsPassed→ review | TestsPassed: review",
      "From here on it repeats: review ─ChangesNeeded→ implement ⇒ review | on_max_visits: review",
    ]);
  });

  it.each([
    [5000, "… (4001 more steps)"],
    [1001, "… (2 more steps)"],
    [1000, "plan ─PlanReady→ implement"],
  ])("leaves out the middle of a very long run: of %d steps", (length, middle) => {
    const [, loop] = sampleFile.diagnostics;
    const [step] = codegenSteps;
    if (loop === undefined || step === undefined) throw new Error("The sample has a run.");
    const steps = Array.from({ length }, () => step);
    const diagnostics = [{ ...loop, trace: { steps, loopFrom: length - 1 } }];
    const [result] = resultsOf({ ...sampleReport, files: [{ ...sampleFile, diagnostics }] });
    const texts = result?.codeFlows?.[0]?.threadFlows[0]?.locations.map(
      (place) => place.location.message.text,
    );
    expect(texts).toHaveLength(1000);
    expect(texts?.[500]).toBe(middle);
    expect(texts?.at(-1)).toBe("From here on it repeats: plan ─PlanReady→ implement");
  });

  it("marks findings suppressed by the config or the baseline as external", () => {
    const suppressed = sampleFile.diagnostics.slice(0, 2).map((diagnostic, index) => ({
      diagnostic,
      by: index === 0 ? ("config" as const) : ("baseline" as const),
    }));
    const report = { ...sampleReport, files: [{ ...sampleFile, diagnostics: [], suppressed }] };
    expect(resultsOf(report).map((result) => result.suppressions)).toEqual([
      [{ kind: "external" }],
      [{ kind: "external" }],
    ]);
    expect(errorsOf(sarif(report, plain))).toEqual([]);
  });

  it("distinguishes an incomplete run from one without findings", () => {
    const text = sarif({ ...cleanReport, incomplete: true }, plain);
    expect(JSON.parse(text)).toMatchObject({ runs: [{ invocations: [{ executionSuccessful: false }] }] });
    expect(errorsOf(text)).toEqual([]);
  });

  it.runIf(isFull)("is valid by the official schema", () => {
    expect(errorsOf(sarif(sampleReport, plain))).toEqual([]);
    expect(errorsOf(sarif(cleanReport, plain))).toEqual([]);
    expect(errorsOf(sarif({ ...cleanReport, files: [] }, plain))).toEqual([]);
    expect(errorsOf(sarif(sampleReport, plain).replace('"startLine": 6', '"startLine": 0'))).not.toEqual([]);
  });

  it.runIf(isFull).each(hostileNames)("is valid with the name %j", (name) => {
    const report = hostileReport(name);
    expect(errorsOf(sarif(report, plain))).toEqual([]);
    const uri = resultsOf(report)[0]?.locations[0].physicalLocation.artifactLocation.uri ?? "";
    expect(uri).toMatch(/^a\/[A-Za-z0-9%!'()*._~/-]+\.json$/);
    expect(decodeURIComponent(uri)).toBe(`a/${name.replace(/\p{Cs}/gu, "\ufffd")}.json`);
  });

  it("lets no name become a link", () => {
    const [result] = resultsOf(hostileReport("[x](https://evil.example)"));
    expect(result?.message.text).toBe('State "\\[x\\](https://evil.example)" is not a state.');
  });

  it("leaves brackets alone that are no link", () => {
    const [result] = resultsOf(hostileReport("a[0] (b)\\c"));
    expect(result?.message.text).toBe('State "a[0] (b)\\c" is not a state.');
  });
});

it("has the page of each rule with findings, without links that lead nowhere", async () => {
  const { stdout } = await promptpack(["lint", "--no-config", "-f", "sarif", "examples/codegen.pack.yaml"], {
    cwd: ".",
  });
  const [run] = (JSON.parse(stdout) as { runs: { tool: { driver: { rules: Described[] } } }[] }).runs;
  const paged = run?.tool.driver.rules.filter(({ help }) => help.markdown !== undefined) ?? [];
  expect(paged.map(({ id }) => id)).toEqual([
    "unbounded-loop",
    "dead-guard",
    "unguarded-reentry",
    "reading-unset",
    "variable-lost",
  ]);
  for (const { id, help, helpUri } of paged) {
    const page = readFileSync(`docs/rules/${id}.md`, "utf8");
    expect(help.markdown).toBe(page.replace(/\[([^\]]+)\]\([\w-]+\.md\)/g, "$1"));
    expect(helpUri).toBeUndefined();
  }
});

interface Described {
  readonly id: string;
  readonly help: { readonly markdown?: string };
  readonly helpUri?: string;
}
