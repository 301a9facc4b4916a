import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultLimits } from "../../src/document/file-format.js";
import { asMapping, Key, type Node } from "../../src/document/node.js";
import { findNode } from "../../src/document/pointers.js";
import { readDocument } from "../../src/document/read.js";
import { copyShifted } from "../../src/document/shift.js";
import { applyFixes } from "../../src/fix/apply-fixes.js";
import { isFixable } from "../../src/fix/apply-edits.js";
import { ungroupDiagnostics } from "../../src/lint/collect-diagnostics.js";
import type { Project } from "../../src/sources/project.js";
import type { OpenedFile } from "../../src/sources/source-file.js";
import { runs } from "../runs.js";
import { nodesIn } from "./damage.js";
import { type Files, findingsOf, headName, openProject } from "./memory-project.js";
import { randomProject } from "./random-project.js";

const read = (text: string, { document }: OpenedFile) => readDocument(text, document.format);

describe("the number line", () => {
  it("finds the file and the value of every place of the pack", () => {
    fc.assert(
      fc.property(randomProject, ({ files }) => {
        const project = openProject(files);
        const { document } = project;
        for (const file of project.files) {
          const { base, document: own } = file;
          expect(document.text.slice(base, base + own.text.length)).toBe(own.text);
          expect([project.fileAt(base), project.fileAt(base + own.text.length)]).toEqual([file, file]);
          for (const node of own.root === undefined ? [] : nodesIn(own.root)) {
            const pointer = project.packPointerOf(file, node.pointer);
            if (pointer === undefined) continue;
            const copy = document.root && findNode(document.root, pointer);
            if (copy === undefined) throw new Error(`The pack has no ${pointer}.`);
            const span = { start: node.start + base, end: node.end + base };
            // An object that the compiler puts together anew holds all that it is made of.
            if (copy.kind === "mapping")
              expect(copy.start <= span.start && span.end <= copy.end, pointer).toBe(true);
            else expect({ pointer, start: copy.start, end: copy.end }).toEqual({ pointer, ...span });
            const place = project.placeInFile({ pointer, ...span });
            expect(place.file).toBe(file);
            expect(findNode(own.root as Node, place.pointer)).toBeDefined();
            if (copy.kind === "scalar" && !/^\/(?:spec\/task_type|metadata\/name|name)$/u.test(node.pointer))
              expect(place).toEqual({ file, pointer: node.pointer, start: node.start, end: node.end });
          }
        }
      }),
      { numRuns: runs(200) },
    );
  });

  it("is seen from each file with its own text first", () => {
    const project = openProject(small);
    for (const file of project.files)
      for (const other of project.files) {
        const span = { start: other.base + 3, end: other.base + 7 };
        const seen = project.linesOf(file).locate(project.seenFrom(file, span));
        expect(seen).toEqual({
          ...(other === file ? {} : { file: other.name }),
          range: other.document.lines.range(3, 7),
        });
      }
  });

  it("splits into the texts of its files, and joins them again", () => {
    const project = openProject(small);
    const [head, prompt, tool] = project.files;
    if (head === undefined || prompt === undefined || tool === undefined) throw new Error("Three files.");
    expect(project.split(project.document.text)).toEqual(
      new Map(project.files.map((file) => [file, file.document.text])),
    );
    const at = prompt.base + prompt.document.text.indexOf("Greet.");
    const { text } = project.document;
    const edited = `${text.slice(0, at)}Welcome them.${text.slice(at + "Greet.".length)}`;
    const changed = project.withText(edited, read, defaultLimits);
    expect(changed.document.text).toBe(edited);
    expect(
      changed.files.map(
        (file) => file.document === project.files.find(({ path }) => path === file.path)?.document,
      ),
    ).toEqual([true, false, true]);
    expect(
      changed.placeInFile({ pointer: "/tools/find/description", start: edited.indexOf("Finds"), end: 0 }),
    ).toMatchObject({
      file: { path: tool.path },
      pointer: "/description",
    });
  });

  it("takes no text in which two files have become one", () => {
    const project = openProject(small);
    const joined = project.document.text.replace("\0", "");
    expect(project.split(joined)).toBeUndefined();
    expect(project.withText(joined, read, defaultLimits)).toBe(project);
  });

  it("follows a reference that an edit has changed", () => {
    const project = openProject({ ...small, "desk/other.yaml": small["desk/greet.yaml"] ?? "" });
    const edited = project.document.text.replace("file: greet.yaml", "file: other.yaml");
    expect(project.withText(edited, read, defaultLimits).files.map(({ path }) => path)).toEqual([
      headName,
      "desk/other.yaml",
      "desk/find.json",
    ]);
  });

  it("keeps a NUL in a text from ending its file", () => {
    const project = openProject({ ...small, "desk/find.json": '{"name": "find\n\0\n"}' });
    expect(project.split(project.document.text)?.size).toBe(3);
  });
});

const small: Files = {
  [headName]: `apiVersion: promptkit.altairalabs.ai/v1alpha1
kind: Arena
metadata: { name: small }
spec:
  prompt_configs: [{ id: greet, file: greet.yaml }]
  tools: [{ file: find.json }]
`,
  "desk/greet.yaml": `apiVersion: promptkit.altairalabs.ai/v1alpha1
kind: PromptConfig
metadata: { name: Greet }
spec:
  task_type: greet
  version: v1.0.0
  description: Greets
  system_template: Greet.
  allowed_tools: [find]
`,
  "desk/find.json":
    '{"name": "find", "description": "Finds", "input_schema": {"type": "object", "properties": {}}}\n',
};

describe("a shifted copy", () => {
  const copyOf = (text: string, by: number) => {
    const { root } = readDocument(text, "yaml");
    if (root === undefined) throw new Error("It can be read.");
    const copies = new Map<Node, Node>();
    const copy = copyShifted(root, by, (made, original) => copies.set(original, made).size > 0);
    return { root, copy, copies };
  };

  it("has the same values, keys and pointers, each moved", () => {
    const { root, copy } = copyOf('a: [1, {b: "c"}, []]\nd: {}\n"e/f": |\n  text\n', 40);
    const originals = [...nodesIn(root)];
    const copied = [...nodesIn(copy)];
    expect(copied.map(({ pointer }) => pointer)).toEqual(originals.map(({ pointer }) => pointer));
    for (const [index, node] of copied.entries()) {
      const original = originals[index];
      if (original === undefined) throw new Error("There are as many.");
      expect([node.start, node.end]).toEqual([original.start + 40, original.end + 40]);
      if (node.key instanceof Key && original.key instanceof Key)
        expect([node.key.start, node.key.end]).toEqual([original.key.start + 40, original.key.end + 40]);
      if (node.kind === "scalar" && original.kind === "scalar") {
        expect(node.value).toBe(original.value);
        const { start, end, ...style } = original.source;
        expect(node.source).toEqual({ ...style, start: start + 40, end: end + 40 });
      } else if (node.kind !== "scalar" && original.kind !== "scalar")
        expect(node.head).toEqual({ start: original.head.start + 40, end: original.head.end + 40 });
    }
  });

  it("of an alias repeats the copy of what the alias repeats, wherever that is", () => {
    const { root, copies } = copyOf("a: &x {b: c}\nd:\n  e: *x\n", 7);
    const repeated = findNode(root, "/d/e");
    const made = repeated && copies.get(repeated);
    expect(made?.origin).toBe(copies.get(findNode(root, "/a") as Node));
    expect(made?.start).toBe((repeated?.start ?? 0) + 7);
  });

  it("keeps that a key is used twice", () => {
    const { copy } = copyOf("a: 1\nb: 2\na: 3\n", 1);
    expect(asMapping(copy)?.entries.map(({ key }) => [key.text, key.isDuplicate])).toEqual([
      ["a", true],
      ["b", false],
    ]);
  });

  it("of a deep tree takes no stack", () => {
    const depth = 100_000;
    const limits = { ...defaultLimits, maxDepth: depth + 1 };
    const { root } = readDocument(`${"[".repeat(depth)}${"]".repeat(depth)}`, "json", limits);
    // An object around it, as a file has.
    const whole =
      root ?? readDocument(`{"a":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`, "json", limits).root;
    if (whole === undefined) throw new Error("It can be read.");
    let count = 0;
    copyShifted(whole, 1, () => ++count > 0);
    expect(count).toBe(depth);
  });

  it("ends when it is told to", () => {
    const { root } = readDocument("a: [1, 2, 3]\n", "yaml");
    let count = 0;
    copyShifted(root as Node, 1, () => ++count < 3);
    expect(count).toBe(3);
  });
});

/** The findings by severity, rule, file and place, for comparing projects before and after a fix. */
function keysOf(project: Project): readonly string[] {
  return findingsOf(project).files.flatMap(({ file, kept }) =>
    ungroupDiagnostics(kept).map(
      ({ severity, rule, pointer }) => `${severity} ${rule} ${file.name}#${pointer}`,
    ),
  );
}

function fixed(project: Project, unsafe: boolean) {
  const check = (text: string) => findingsOf(project.withText(text, read, defaultLimits));
  return applyFixes(project.document.text, findingsOf(project), {
    check,
    shouldFix: ({ fix }) => unsafe || fix.unsafe !== true,
  });
}

describe("fixes of a project", () => {
  it("change only files with fixes, and leave no new findings", () => {
    let count = 0;
    fc.assert(
      fc.property(randomProject, ({ files }) => {
        const project = openProject(files);
        const before = findingsOf(project);
        const result = fixed(project, true);
        count += result.fixed;
        const texts = project.split(result.text);
        const wanted = new Set(
          ungroupDiagnostics(before.kept)
            .filter(isFixable)
            .flatMap(({ fix }) => fix.edits.map(({ start }) => project.fileAt(start).path)),
        );
        const after: Record<string, string> = { ...files };
        for (const [{ path, document, base }, text] of texts ?? []) {
          expect(project.document.text.slice(base, base + document.text.length)).toBe(document.text);
          if (text === document.text) continue;
          expect(wanted).toContain(path);
          after[path] = text;
        }
        // As the files are read from the disk again.
        const again = openProject(after);
        const [old, now] = [keysOf(project), keysOf(again)];
        expect(now.length).toBeLessThanOrEqual(old.length);
        expect(now.join() === old.join()).toBe(result.fixed === 0);
        // What an error hid is no error elsewhere.
        const places = new Set(old.map((key) => key.replace(/^\w+ \S+ /u, "")));
        expect(
          now.filter((key) => key.startsWith("error") && !places.has(key.replace(/^\w+ \S+ /u, ""))),
        ).toEqual([]);
        expect(keysOf(project.withText(result.text, read, defaultLimits))).toEqual(now);
        expect(fixed(again, true).fixed).toBe(0);
      }),
      { numRuns: runs(400) },
    );
    expect(count).toBeGreaterThan(runs(400) / 4);
  });
});
