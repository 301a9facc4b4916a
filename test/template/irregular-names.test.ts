import { describe, expect, it } from "vitest";
import { isIrregularName, parseSyntax, readTemplate } from "../../src/template/read-template.js";
import { isFull } from "../runs.js";
import { show } from "./show.js";

const irregularNames = () => ({
  fragment: new Set(["shared.header", "2nd", "house rules"]),
  artifact: new Set(["test.report", "test.report.log", "a b"]),
});
const found = (text: string, syntax = "{{variable}}"): string[] => {
  const delimiters = parseSyntax(syntax);
  return show(text, delimiters && { ...delimiters, irregularNames });
};

describe("a name that does not look like one", () => {
  it.each([
    ["shared.header", true],
    ["house rules", true],
    ["2nd", true],
    ["header", false],
    ["my-header_2", false],
    ["größe", false],
    ["a ".repeat(100), true],
    ["a ".repeat(100) + "b", false],
  ])("%j: %s", (name, expected) => {
    expect(isIrregularName(name)).toBe(expected);
  });

  it.each<[string, ...string[]]>([
    ["{{fragments.shared.header}}", 'fragment shared.header in "fragments.shared.header" @2-25'],
    ["{{fragment:shared.header}}", 'fragment shared.header in "fragment:shared.header" @2-24'],
    ["{{> shared.header}}", "fragment shared.header @4-17"],
    ["{{> fragments.shared.header}}", 'fragment shared.header in "fragments.shared.header" @4-27'],
    ["{{ shared.header }}", "name shared.header @3-16"],
    ["{{2nd}} {{fragments.2nd}}", "name 2nd @2-5", 'fragment 2nd in "fragments.2nd" @10-23'],
    ["{{fragments.house rules }}", 'fragment house rules in "fragments.house rules" @2-23'],
    ["{{artifacts.test.report}}", 'artifact test.report in "artifacts.test.report" @2-23'],
    ["{{artifacts.test.report.title}}", 'artifact test.report in "artifacts.test.report" @2-23'],
    ["{{artifacts.test.report.log}}", 'artifact test.report.log in "artifacts.test.report.log" @2-27'],
    ["{{#if artifacts.test.report}}{{/if}}", 'artifact test.report in "artifacts.test.report" @6-27'],
    ["{{artifacts.a b}}", 'artifact a b in "artifacts.a b" @2-15'],
    ["{{artifacts.test}} {{shared.footer}}", 'artifact test in "artifacts.test" @2-16', "name shared @21-27"],
    ["{{test.report}}", "name test @2-6"],
    ["{{artifacts.test.reports}}", 'artifact test in "artifacts.test" @2-16'],
    [`${"x".repeat(300)}{{artifacts.a b}}`, 'artifact a b in "artifacts.a b" @302-315'],
    [
      `${"x".repeat(500)}{{artifacts.test.report.title}}`,
      'artifact test.report in "artifacts.test.report" @502-523',
    ],
  ])("is found where it is known: %j", (text, ...expected) => {
    expect(found(text)).toEqual(expected);
  });

  it.each<[string, string, ...string[]]>([
    ["${variable}", "${artifacts.test.report}", 'artifact test.report in "artifacts.test.report" @2-23'],
    ["${variable}", "${ house rules }", "name house rules @3-14"],
    ["{variable}", "{fragments.shared.header}", 'fragment shared.header in "fragments.shared.header" @1-24'],
    ["{variable}", "{ house rules }", "local name house rules @2-13"],
  ])("is found with %s: %j", (syntax, text, ...expected) => {
    expect(found(text, syntax)).toEqual(expected);
  });

  it.runIf(isFull)("is looked for in reasonable time", () => {
    const syntax = parseSyntax("{{variable}}");
    const text = "{{artifacts.a.a[0] x}}{{a[0]}}".repeat(50_000) + `{{artifacts.${"a.".repeat(500_000)}a}}`;
    expect(readTemplate(text, { open: "{{", close: "}}", ...syntax, irregularNames }).errors).toEqual([]);
  });
});
