import { describe, expect, it } from "vitest";
import { skillPath } from "../../src/rules/skill-path.js";
import { packOf } from "../simulate/open-text.js";

/** The paths that are reported, and those that are looked up. */
function look(declared: readonly string[], chosen: readonly string[], present: readonly string[]) {
  const lookedUp: string[] = [];
  const fileExists = (path: string): boolean => {
    lookedUp.push(path);
    return present.includes(path);
  };
  const states = Object.fromEntries(chosen.map((skills, at) => [`s${at}`, { skills }]));
  const pack = packOf(JSON.stringify({ skills: declared, workflow: { states } }));
  const found = [...skillPath.check(pack, { fileExists })];
  return { missing: found.map(({ message }) => /path "(.*?)" /.exec(message)?.[1]), lookedUp };
}

describe("the path of a state below a declared folder", () => {
  it.each([
    ["./skills", "./skills/tecnical", "./skills/tecnical"],
    ["./skills", "skills/a/tecnical/", "skills/a/tecnical/"],
    ["skills", "skills/tecnical", "skills/tecnical"],
    ["./skills/*", "./skills/tecnical", "./skills/tecnical"],
    ["./skills/*/SKILL.md", "./skills/tecnical", "./skills/tecnical"],
    ["./", "./skills/tecnical", "./skills/tecnical"],
    ["./skills", "./skills/tecnical/*", "./skills/tecnical"],
    ["./skills", "./skills/tecnical/x?", "./skills/tecnical"],
    ["./skills", "./skills/tecnical/{a,b}/c", "./skills/tecnical"],
  ])("is missing: %s and %s", (declared, chosen, missing) => {
    expect(look([declared], [chosen], [".", "./", "skills"]).missing).toEqual([missing]);
  });

  it.each([
    ["./skills", "./skills/technical"],
    ["./skills", "./skills/technical/../refunds"],
    ["./skills", "skills\\refunds"],
    ["./skills", "./skills/tech*"],
    ["./skills", "./skills/*/SKILL.md"],
    ["./", "../skills/technical"],
    ["./", "refunds.md"],
    ["/", "./tecnical"],
  ])("is there, or may be: %s and %s", (declared, chosen) => {
    const present = [".", "./", "skills", "skills/technical", "skills/refunds.md"];
    expect(look([declared], [chosen], present).missing).toEqual([]);
  });

  it("is left to the declared path that is missing", () => {
    const declared = ["./skills", "./skills/eu", "./skills/us.md", "./none"];
    const chosen = ["./skills/eu", "./skills/eu/refunds", "skills/us.md", "./none/refunds"];
    expect(look(declared, chosen, ["skills"]).missing).toEqual(["./skills/eu", "./skills/us.md", "./none"]);
  });

  it("is looked up once", () => {
    const { missing, lookedUp } = look(["./skills/*"], ["skills/a", "./skills/a", "skills/a"], ["skills"]);
    expect(missing).toEqual(["skills/a", "./skills/a", "skills/a"]);
    expect(lookedUp).toEqual(["skills", "skills/a", "skills/a.md"]);
  });

  it("is not judged where there is no disk to ask", () => {
    const workflow = { states: { s: { skills: "./skills/tecnical" } } };
    const pack = packOf(JSON.stringify({ skills: ["./skills"], workflow }));
    expect([...skillPath.check(pack, {})]).toEqual([]);
  });
});
