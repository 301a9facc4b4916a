import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readLintRequest } from "../../src/cli/config/lint-request.js";
import { type ReporterName, reporterNames as names, reporters } from "../../src/reporters/index.js";
import { escapeInvisible } from "../../src/text/escape.js";
import { hostileNames, hostileReport, plain, sampleReport } from "./sample-report.js";
import { xmlFault } from "./xml-fault.js";

async function print(format: ReporterName, name: string): Promise<string> {
  return (await reporters[format]())(hostileReport(name), plain);
}

describe.each(names)("%s", (format) => {
  it.each(hostileNames)("shows every character of %j", async (name) => {
    for (const line of (await print(format, name)).split("\n")) expect(escapeInvisible(line)).toBe(line);
  });

  it("shows every character of any name", async () => {
    const reporter = await reporters[format]();
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (name) => {
        const output = reporter(hostileReport(name), plain).replaceAll("\n", "");
        expect(escapeInvisible(output)).toBe(output);
      }),
    );
  });

  it("prints the same bytes for the same report", async () => {
    const reporter = await reporters[format]();
    const copy = { ...sampleReport, files: sampleReport.files.map((file) => ({ ...file })) };
    expect(reporter(copy, plain)).toBe(reporter(sampleReport, plain));
  });
});

describe("suppressed findings", () => {
  it.each(names.filter((name) => name !== "sarif"))("are not among the findings of %s", async (format) => {
    const reporter = await reporters[format]();
    const silence = (suppressed: boolean): string =>
      reporter(
        {
          ...sampleReport,
          files: sampleReport.files.map((file) => ({
            ...file,
            diagnostics: [],
            suppressed: suppressed
              ? file.diagnostics.map((diagnostic) => ({ diagnostic, by: "config" as const }))
              : [],
          })),
        },
        plain,
      );
    expect(silence(true).replace(", 3 suppressed", "")).toBe(silence(false));
  });
});

describe("the formats others parse", () => {
  it("give one compact line and one annotation for any name", async () => {
    const compact = await reporters.compact();
    const github = await reporters.github();
    const unit = fc.constantFrom(
      ":",
      "#",
      "[",
      "]",
      "\n",
      "\r",
      "%",
      ",",
      "0A",
      "error",
      " ",
      "=",
      "add-mask",
    );
    fc.assert(
      fc.property(fc.string({ unit }), (name) => {
        const report = hostileReport(name);
        expect(compact(report, plain).split("\n")).toHaveLength(2);
        const lines = github(report, plain).split("\n");
        expect(lines).toHaveLength(3);
        expect(lines[0]).not.toMatch(/^\s*::|##\[/);
        const command = /^::error file=([^:,]*),line=1,endLine=1,col=1,endColumn=2,title=[a-z-]+::[^]*$/;
        const file = command.exec(lines[1] ?? "")?.[1];
        expect(decodeURIComponent(file ?? "")).toBe(`a/${escapeInvisible(name)}.json`);
      }),
    );
  });

  it("let no path be read as a location", async () => {
    const matcher = JSON.parse(readFileSync(".github/promptpack-matcher.json", "utf8")) as {
      problemMatcher: [{ pattern: [{ regexp: string }] }];
    };
    const pattern = new RegExp(matcher.problemMatcher[0].pattern[0].regexp);
    const compact = await reporters.compact();
    const unit = fc.constantFrom(":", "1", ":1", ": error: ", "package.json", "[x]", "/");
    fc.assert(
      fc.property(fc.string({ unit }), (name) => {
        const [, file, line, column] = pattern.exec(compact(hostileReport(name), plain).trimEnd()) ?? [];
        expect([file?.replaceAll("\\u003a", ":"), line, column]).toEqual([`a/${name}.json`, "1", "1"]);
      }),
    );
  });

  it("create no links or mentions from names", async () => {
    const markdown = await reporters.markdown();
    const unit = fc.constantFrom(
      "https",
      "://",
      "www",
      "WWW",
      ".",
      "@",
      "mailto:",
      "a",
      "#",
      "1",
      " ",
      "&",
      "_",
    );
    fc.assert(
      fc.property(fc.string({ unit }), (name) => {
        const outsideOfFences = markdown(hostileReport(name), plain).replace(/^ *```[^]*?^ *```$/gm, "");
        // An element separates the texts around it; everything else is decoded.
        const read = outsideOfFences.replaceAll("<span></span>", "\0").replace(/\\(?=[#_])|(?<=&)amp;/g, "");
        expect(read).not.toMatch(/:\/\/|www\.|@[^\0]|#\d/i);
        expect(read.replaceAll("\0", "")).toContain(`### a/${name}.json\n`);
      }),
    );
  });

  it("give well-formed XML for any name", async () => {
    const junit = await reporters.junit();
    const unit = fc.constantFrom(
      "<",
      ">",
      "&",
      '"',
      "'",
      "]]>",
      "<!--",
      "--",
      "\u0000",
      "\uffff",
      "\ud800",
      "a",
    );
    fc.assert(
      fc.property(fc.string({ unit }), (name) => {
        expect(xmlFault(junit(hostileReport(name), plain))).toBeUndefined();
      }),
    );
    for (const name of hostileNames) expect(xmlFault(await print("junit", name))).toBeUndefined();
  });
});

describe("xmlFault", () => {
  it.each([
    "<a>",
    "<a></b>",
    "<a b=c/>",
    "<a>&</a>",
    "<a>]]></a>",
    "<a>\u0001</a>",
    '<a b="1" b="2"/>',
    "a",
    "<a/><b/>",
  ])("rejects %j", (text) => {
    expect(xmlFault(text)).toBeTypeOf("string");
  });
});

describe("reporterNames", () => {
  it("has the eight formats and nothing that objects inherit", () => {
    expect(names).toEqual(["pretty", "compact", "json", "sarif", "github", "gitlab", "junit", "markdown"]);
    expect(() => readLintRequest({ format: ["constructor"] }, "/")).toThrow('no format "constructor"');
  });
});
