import { spawnSync } from "node:child_process";
import { mkdirSync, rmdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folderOf, promptpack } from "../cli/harness.js";

const top = (kind: string, name: string) =>
  `apiVersion: promptkit.altairalabs.ai/v1alpha1\nkind: ${kind}\nmetadata: { name: ${name} }\n`;
const headOf = (...files: readonly string[]) =>
  `${top("Arena", "a")}spec:\n  prompt_configs:\n${files
    .map((file, index) => `    - { id: p${index}, file: ${JSON.stringify(file)} }\n`)
    .join("")}`;
const prompt = `${top("PromptConfig", "secret")}spec:
  task_type: secret
  version: v1.0.0
  description: ""
  system_template: The secret text.
`;

const lines = async (folder: string, ...args: readonly string[]) => {
  const { code, stdout, stderr } = await promptpack(
    ["lint", "-f", "compact", "--only", "source-file", ...args],
    {
      cwd: folder,
    },
  );
  expect(stderr).toBe("");
  expect(stdout).not.toContain("secret text");
  return [code, ...stdout.trim().split("\n")];
};

it("reads nothing outside of the repository", async () => {
  const outside = folderOf({ "secret.yaml": prompt });
  const named = [
    join(outside, "secret.yaml"),
    "../secret.yaml",
    "link.yaml",
    "linked/secret.yaml",
    "/etc/passwd",
  ];
  const folder = folderOf({ "a/arena.yaml": headOf(...named), "../secret.yaml": prompt });
  symlinkSync(join(outside, "secret.yaml"), join(folder, "a/link.yaml"));
  symlinkSync(outside, join(folder, "a/linked"));
  const at = (index: number, message: string) =>
    `a/arena.yaml:${6 + index}:23: error: ${message} [source-file]`;
  const [code, ...found] = await lines(folder);
  expect(code).toBe(1);
  expect(found).toEqual(
    named.map((file, index) =>
      at(
        index,
        `"${file}" ${file === "../secret.yaml" ? "does not exist" : "is outside of the repository of the project"}.`,
      ),
    ),
  );
});

it("reads nothing outside of the folder of the head, where there is no repository", async () => {
  const folder = folderOf({ "a/arena.yaml": headOf("../other.yaml"), "other.yaml": prompt });
  rmdirSync(join(folder, ".git"));
  expect(await lines(folder)).toEqual([
    1,
    'a/arena.yaml:6:23: error: "../other.yaml" is outside of the folder of the project. [source-file]',
  ]);
});

it("neither blocks on a pipe nor reads folders and devices", async () => {
  const folder = folderOf({ "arena.yaml": headOf("pipe.yaml", "folder", "zero.yaml") });
  spawnSync("mkfifo", [join(folder, "pipe.yaml")]);
  mkdirSync(join(folder, "folder"));
  symlinkSync("/dev/zero", join(folder, "zero.yaml"));
  const [code, ...found] = await lines(folder, "arena.yaml");
  expect(code).toBe(1);
  expect(found).toEqual([
    'arena.yaml:6:23: error: "pipe.yaml" is not a regular file. [source-file]',
    'arena.yaml:7:23: error: "folder" is a folder. [source-file]',
    'arena.yaml:8:23: error: "zero.yaml" is outside of the repository of the project. [source-file]',
  ]);
});

it("survives a head that names itself, and heads that name each other", async () => {
  const folder = folderOf({
    "a.arena.yaml": headOf("a.arena.yaml", "b.arena.yaml"),
    "b.arena.yaml": headOf("a.arena.yaml", "b.arena.yaml"),
  });
  const [code, ...found] = await lines(folder);
  expect(code).toBe(1);
  expect(found).toEqual(
    ["a", "b"].flatMap((head) =>
      ["a", "b"].map(
        (file, index) =>
          `${head}.arena.yaml:${6 + index}:23: error: "${file}.arena.yaml" is of kind "Arena", not "PromptConfig". [source-file]`,
      ),
    ),
  );
});

it("holds a project to the limits of a pack", async () => {
  const large = prompt.replace("The secret text.", "x".repeat(5_000));
  const files = Object.fromEntries(
    ["a", "b", "c"].map((name) => [`${name}.yaml`, large.replaceAll("secret", name)]),
  );
  const folder = folderOf({ "arena.yaml": headOf("a.yaml", "b.yaml", "c.yaml"), ...files });
  expect(await lines(folder, "--max-size", "12000")).toEqual([
    1,
    'arena.yaml:8:23: error: "c.yaml" is too large: the files of the project hold more than 12000 bytes. "--max-size" raises the limit. [source-file]',
  ]);
});

it("counts the values of all files of a project", async () => {
  const variables = Array.from(
    { length: 8 },
    (_, at) => `    - { name: v${at}, type: string, required: true }\n`,
  );
  const wordy = prompt.replace("  system_template", `  variables:\n${variables.join("")}  system_template`);
  const files = Object.fromEntries(
    ["a", "b", "c"].map((name) => [`${name}.yaml`, wordy.replaceAll("secret", name)]),
  );
  const folder = folderOf({ "arena.yaml": headOf("a.yaml", "b.yaml", "c.yaml"), ...files });
  const { code, stdout } = await promptpack(["lint", "-f", "compact", "--max-values", "100"], {
    cwd: folder,
  });
  expect([code, stdout]).toEqual([
    1,
    'arena.yaml:2:7: error: The project holds more than 100 values. "--max-values" raises the limit. [parse-error]\n',
  ]);
});

it("names tens of thousands of files in seconds", async () => {
  const folder = folderOf({});
  const named = Array.from({ length: 20_000 }, (_, index) => `missing${index}.yaml`);
  writeFileSync(join(folder, "arena.yaml"), headOf(...named));
  const start = performance.now();
  const [code, ...found] = await lines(folder);
  expect(code).toBe(1);
  expect(found.at(-1)).toContain("is one of more than 10000 files that the project names");
  expect(performance.now() - start).toBeLessThan(20_000);
});

it("reads nothing that git keeps for itself", async () => {
  const folder = folderOf({
    "arena.yaml": headOf(".git/config", "sub/.git/prompt.yaml"),
    "pack.arena.yaml": `${top("Arena", "a")}spec:\n  pack_file: .git/config\n`,
    ".git/config": "[http]\n\textraheader = The secret text.\n",
    "sub/.git/prompt.yaml": prompt,
  });
  const at = (place: string, file: string) =>
    `${place}: error: "${file}" is outside of the repository of the project. [source-file]`;
  expect(await lines(folder)).toEqual([
    1,
    at("arena.yaml:6:23", ".git/config"),
    at("arena.yaml:7:23", "sub/.git/prompt.yaml"),
    at("pack.arena.yaml:5:14", ".git/config"),
  ]);
});

it("takes no head for a compiled pack, and tells of one that it cannot read", async () => {
  const packed = (file: string) => `${top("Arena", "a")}spec:\n  pack_file: ${file}\n`;
  const folder = folderOf({
    "missing.arena.yaml": packed("no.pack.json"),
    "other.arena.yaml": packed("self.arena.yaml"),
    "self.arena.yaml": packed("self.arena.yaml"),
  });
  const found = [
    'missing.arena.yaml:5:14: error: "no.pack.json" does not exist. [source-file]',
    ...["other", "self"].map(
      (head) =>
        `${head}.arena.yaml:5:14: error: "self.arena.yaml" is the head of a project, not a compiled pack. [source-file]`,
    ),
  ];
  expect(await lines(folder)).toEqual([1, ...found]);
  expect(await lines(folder, "other.arena.yaml")).toEqual([1, found[1]]);
  // That they have no prompts is no other mistake.
  expect((await promptpack(["lint", "-f", "compact"], { cwd: folder })).stdout.trim().split("\n")).toEqual(
    found,
  );
});

it("does not suggest the link in a ring that it cannot follow", async () => {
  const folder = folderOf({ "arena.yaml": headOf("ring.yaml") });
  symlinkSync("ring.yaml", join(folder, "ring.yaml"));
  expect(await lines(folder)).toEqual([
    1,
    'arena.yaml:6:23: error: "ring.yaml" cannot be opened: too many symbolic links encountered. [source-file]',
  ]);
});
