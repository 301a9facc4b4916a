import { describe, expect, it } from "vitest";
import { unknownStateSkills } from "../../src/rules/unknown-state-skills.js";
import { packOf } from "../simulate/open-text.js";

interface Looked {
  /** The names that are reported. */
  readonly unknown: readonly string[];
  /** The paths that are looked up because of them. */
  readonly lookedUp: readonly string[];
}

function look(paths: readonly string[], names: readonly string[], present: Iterable<string>): Looked {
  const files = new Set(present);
  const lookedUp: string[] = [];
  const fileExists = (path: string): boolean => {
    lookedUp.push(path);
    return files.has(path);
  };
  const states = Object.fromEntries(names.map((skills, at) => [`s${at}`, { skills }]));
  const pack = packOf(JSON.stringify({ skills: paths.map((path) => ({ path })), workflow: { states } }));
  const found = [...unknownStateSkills.check(pack, { fileExists })];
  const unknown = found.map(({ message }) => /skills "(.*)",/s.exec(message)?.[1] ?? message);
  return { unknown, lookedUp };
}

const numbered = (count: number, name: string): readonly string[] =>
  Array.from({ length: count }, (_, at) => `${name}${at}`);

describe("a skill in a declared folder", () => {
  it("is known by its name", () => {
    const present = ["skills", "skills/billing", "skills/refunds.md"];
    expect(look(["./skills"], ["billing", "refunds", "biling"], present).unknown).toEqual(["biling"]);
    expect(look(["./skills/*.md"], ["refunds"], present).unknown).toEqual([]);
  });

  it("may be any mere name where there is no disk to ask, but for a near one", () => {
    const states = { a: { skills: "refunds" }, b: { skills: "tols/x" }, c: { skills: "biling" } };
    const skills = [{ path: "./skills" }, { name: "billing", description: "B", instructions: "B" }];
    const pack = packOf(JSON.stringify({ skills, workflow: { states } }));
    const found = [...unknownStateSkills.check(pack, {})].map(({ message }) => message);
    expect(found.map((message) => /skills "(.*)",/.exec(message)?.[1])).toEqual(["tols/x", "biling"]);
  });

  it("is looked for once", () => {
    const { unknown, lookedUp } = look(["./skills"], ["a", "a", "a"], ["skills"]);
    expect(unknown).toEqual(["a", "a", "a"]);
    expect(lookedUp).toEqual(["skills", "skills/a", "skills/a.md"]);
  });

  it.each(["/abs/skills", "\\abs\\skills", "~/skills", "C:/skills", "skills/a.md", "$HOME/skills"])(
    "is not looked for in %s, which is no folder beside the pack",
    (path) => {
      expect(look([path], ["billing"], []).lookedUp).toEqual([]);
    },
  );

  it.each(["..", "a/b", "./a", "$a", "a\0"])("is not looked for by %j, which is no mere name", (name) => {
    const looked = look(["./skills"], [name], ["skills"]);
    expect(looked.lookedUp.filter((path) => path.startsWith("skills/"))).toEqual([]);
    expect(looked.unknown).toHaveLength(1);
  });

  it("is not looked for in folders that are not there", () => {
    const { unknown, lookedUp } = look(numbered(501, "./k"), ["nothere", "neither"], []);
    expect(unknown).toEqual(["nothere", "neither"]);
    expect(lookedUp).toEqual(numbered(501, "k"));
  });

  it("is not looked for without end", () => {
    const folders = numbered(1_000, "k");
    const names = numbered(100, "wrong ");
    const { unknown, lookedUp } = look(
      numbered(1_000, "./k"),
      ["right", ...names, "right"],
      [...folders, "k9/right"],
    );
    expect(unknown).toEqual(names);
    expect(lookedUp).toHaveLength(6_000);
  });
});
