import { defaultTarget as target } from "../../src/runtimes/index.js";
import { describe, expect, it } from "vitest";
import { packOf } from "../simulate/open-text.js";
import { packRule } from "./pack-rule.js";

const skillPath = packRule("skill-path");
const unknownStateSkills = packRule("unknown-state-skills");

const isOn = (): boolean => true;

/** The paths that are reported, and those that are looked up. */
function lookUpPaths(declared: readonly string[], chosen: readonly string[], present: readonly string[]) {
  const lookedUp: string[] = [];
  const fileExists = (path: string): boolean => {
    lookedUp.push(path);
    return present.includes(path);
  };
  const states = Object.fromEntries(chosen.map((skills, at) => [`s${at}`, { skills }]));
  const pack = packOf(JSON.stringify({ skills: declared, workflow: { states } }));
  const found = [...skillPath.check({ pack, fileExists, isOn, target })];
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
    expect(lookUpPaths([declared], [chosen], [".", "./", "skills"]).missing).toEqual([missing]);
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
    expect(lookUpPaths([declared], [chosen], present).missing).toEqual([]);
  });

  it("is not reported if the declared path is missing itself", () => {
    const declared = ["./skills", "./skills/eu", "./skills/us.md", "./none"];
    const chosen = ["./skills/eu", "./skills/eu/refunds", "skills/us.md", "./none/refunds"];
    expect(lookUpPaths(declared, chosen, ["skills"]).missing).toEqual([
      "./skills/eu",
      "./skills/us.md",
      "./none",
    ]);
  });

  it("is looked up once", () => {
    const { missing, lookedUp } = lookUpPaths(
      ["./skills/*"],
      ["skills/a", "./skills/a", "skills/a"],
      ["skills"],
    );
    expect(missing).toEqual(["skills/a", "./skills/a", "skills/a"]);
    expect(lookedUp).toEqual(["skills", "skills/a", "skills/a.md"]);
  });

  it("is not reported without access to the disk", () => {
    const workflow = { states: { s: { skills: "./skills/tecnical" } } };
    const pack = packOf(JSON.stringify({ skills: ["./skills"], workflow }));
    expect([...skillPath.check({ pack, isOn, target })]).toEqual([]);
  });
});

interface Looked {
  /** The names that are reported. */
  readonly unknown: readonly string[];
  /** The paths that are looked up because of them. */
  readonly lookedUp: readonly string[];
}

function lookUpNames(paths: readonly string[], names: readonly string[], present: Iterable<string>): Looked {
  const files = new Set(present);
  const lookedUp: string[] = [];
  const fileExists = (path: string): boolean => {
    lookedUp.push(path);
    return files.has(path);
  };
  const states = Object.fromEntries(names.map((skills, at) => [`s${at}`, { skills }]));
  const pack = packOf(JSON.stringify({ skills: paths.map((path) => ({ path })), workflow: { states } }));
  const found = [...unknownStateSkills.check({ pack, fileExists, isOn, target })];
  const unknown = found.map(({ message }) => /skills "(.*)",/s.exec(message)?.[1] ?? message);
  return { unknown, lookedUp };
}

const numbered = (count: number, name: string): readonly string[] =>
  Array.from({ length: count }, (_, at) => `${name}${at}`);

describe("a skill in a declared folder", () => {
  it("is known by its name", () => {
    const present = ["skills", "skills/billing", "skills/refunds.md"];
    expect(lookUpNames(["./skills"], ["billing", "refunds", "biling"], present).unknown).toEqual(["biling"]);
    expect(lookUpNames(["./skills/*.md"], ["refunds"], present).unknown).toEqual([]);
  });

  it("may have any bare name without access to the disk, unless another name is near", () => {
    const states = { a: { skills: "refunds" }, b: { skills: "tols/x" }, c: { skills: "biling" } };
    const skills = [{ path: "./skills" }, { name: "billing", description: "B", instructions: "B" }];
    const pack = packOf(JSON.stringify({ skills, workflow: { states } }));
    const found = [...unknownStateSkills.check({ pack, isOn, target })].map(({ message }) => message);
    expect(found.map((message) => /skills "(.*)",/.exec(message)?.[1])).toEqual(["tols/x", "biling"]);
  });

  it("is looked for once", () => {
    const { unknown, lookedUp } = lookUpNames(["./skills"], ["a", "a", "a"], ["skills"]);
    expect(unknown).toEqual(["a", "a", "a"]);
    expect(lookedUp).toEqual(["skills", "skills/a", "skills/a.md"]);
  });

  it.each(["/abs/skills", "\\abs\\skills", "~/skills", "C:/skills", "skills/a.md", "$HOME/skills"])(
    "is not looked for in %s, which is not a folder beside the pack",
    (path) => {
      expect(lookUpNames([path], ["billing"], []).lookedUp).toEqual([]);
    },
  );

  it.each(["..", "a/b", "./a", "$a", "a\0"])("is not looked for by %j, which is not a bare name", (name) => {
    const looked = lookUpNames(["./skills"], [name], ["skills"]);
    expect(looked.lookedUp.filter((path) => path.startsWith("skills/"))).toEqual([]);
    expect(looked.unknown).toHaveLength(1);
  });

  it("is not looked for in missing folders", () => {
    const { unknown, lookedUp } = lookUpNames(numbered(501, "./k"), ["nothere", "neither"], []);
    expect(unknown).toEqual(["nothere", "neither"]);
    expect(lookedUp).toEqual(numbered(501, "k"));
  });

  it("is looked for within a limit", () => {
    const folders = numbered(1_000, "k");
    const names = numbered(100, "wrong ");
    const { unknown, lookedUp } = lookUpNames(
      numbered(1_000, "./k"),
      ["right", ...names, "right"],
      [...folders, "k9/right"],
    );
    expect(unknown).toEqual(names);
    expect(lookedUp).toHaveLength(6_000);
  });
});
