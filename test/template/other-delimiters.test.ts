import { describe, expect, it } from "vitest";
import { inOtherDelimiters } from "../../src/template/other-delimiters.js";
import { parseSyntax } from "../../src/template/read-template.js";

/** What stands in other delimiters than these, as it is written. */
function foreignTo(sample: string, text: string): readonly string[] {
  const own = parseSyntax(sample);
  return own === undefined
    ? []
    : [...inOtherDelimiters(text, own)].map(([path, written]) => `${path} ${written}`);
}

describe("inOtherDelimiters", () => {
  it.each<[sample: string, text: string, found: string[]]>([
    ["{{x}}", "{{a}} {b} ${c} ${ d.e }", ["b {b}", "c ${c}", "d.e ${ d.e }"]],
    ["{x}", "{{a}} {b} ${c} {{ artifacts.d }}", ["a {{a}}", "c ${c}", "artifacts.d {{ artifacts.d }}"]],
    ["${x}", "{{a}} {b} ${c} ${{d}}", ["a {{a}}", "b {b}", "d {{d}}"]],
    // Neither one nor the other.
    ["${x}", "{{{a}}} {{b} {c}} {{d}}} { {e} } {f g} {} {{#if h}}", ["e {e}"]],
  ])("beside %s in %s", (sample, text, found) => {
    expect(foreignTo(sample, text)).toEqual(found);
  });
});
