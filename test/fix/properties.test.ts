import type { Format } from "../../src/document/file-format.js";
import fc from "fast-check";
import { expect, it } from "vitest";
import { LineCounter, Parser } from "yaml";
import type { Diagnostic } from "../../src/diagnostic.js";
import type { Document } from "../../src/document/document.js";
import { type Node, toValue } from "../../src/document/node.js";
import { readDocument } from "../../src/document/read.js";
import { findHunks } from "../../src/fix/unified-diff.js";
import { ungroupDiagnostics } from "../../src/lint/collect-diagnostics.js";
import { rules } from "../../src/rules/index.js";
import { SeededRandom } from "../../src/simulate/drive-simulation.js";
import { nodeAt, nodesOf } from "../document/nodes-of.js";
import { isFull, runs } from "../runs.js";
import { checkPack, fixPack } from "./fix-pack.js";
import { OddYaml, type Draw } from "./odd-layout.js";

const names = ["intake", "triage", "resolve", "escalate", "archive", "notify"];

interface State {
  prompt_task: string;
  terminal?: boolean;
  on_event?: Record<string, string>;
  on_max_visits?: string;
  artifacts?: Record<string, Record<string, string>>;
  persistence?: string;
}

/** A pack with a few states, and with mistakes that can be fixed. */
function brokenPack(draw: Draw) {
  const used = names.slice(0, 2 + draw(names.length - 1));
  const typo = (name: string) => (draw(6) === 0 ? `${name.slice(0, -2)}${name.slice(-1)}` : name);
  const states: Record<string, State> = {};
  for (const [index, name] of used.entries()) {
    const next = used[index + 1];
    const events = next === undefined ? {} : { [`To_${next}`]: typo(next), Back: typo(used[0] ?? "") };
    const state: State = { prompt_task: typo(`p_${name}`) };
    if (next !== undefined || draw(4) === 0)
      state.on_event = draw(3) === 0 ? events : { ...events, Go: name };
    if (draw(3) === 0) state.artifacts = { report: { type: "text/plain", [typo("mode")]: typo("append") } };
    if (draw(5) === 0) state.persistence = typo("transient");
    if (draw(5) === 0) state.on_max_visits = used[draw(used.length)] ?? "";
    if (next === undefined ? draw(3) > 0 : draw(6) === 0) state.terminal = true;
    const entries = Object.entries(state).map(
      ([key, value]) => [draw(4) === 0 ? typo(key) : key, value] as const,
    );
    states[name] = Object.fromEntries(shuffled(entries, draw)) as unknown as State;
  }
  const prompt = (name: string) => ({
    id: `p_${name}`,
    name,
    version: "1.0.0",
    system_template: `{{fragments.${typo("manners")}}} It's {{${typo("user")}}}, # {{artifacts.${typo("report")}}}`,
    variables: [{ name: "user", type: "string", required: true }],
    tools: [typo("search")],
  });
  return {
    id: "pack",
    name: "Pack",
    version: "1.0.0",
    template_engine: { version: "v1", syntax: "{{variable}}" },
    fragments: { manners: "Be kind." },
    tools: {
      search: { name: "search", description: "Searches.", parameters: { type: "object", properties: {} } },
    },
    prompts: Object.fromEntries(used.map((name) => [`p_${name}`, prompt(name)])),
    workflow: { version: 2, entry: typo(used[0] ?? ""), states },
    agents: {
      entry: typo(`p_${used[0] ?? ""}`),
      members: Object.fromEntries(used.map((name) => [typo(`p_${name}`), { state: typo(name) }])),
    },
  };
}

function shuffled<T>(items: readonly T[], draw: Draw): readonly T[] {
  const rest = [...items];
  return items.flatMap(() => rest.splice(draw(rest.length), 1));
}

const stale = [
  "# promptpack-disable-next-line dead-guard",
  "# promptpack-disable-line fragment-cycle, dead-guard -- long ago",
  "# promptpack-disable duplicate-eval, never-heard-of",
];

function write(draw: Draw): { text: string; format: Format } {
  const pack = brokenPack(draw);
  if (draw(3) > 0) return { text: new OddYaml(draw, stale).document(pack), format: "yaml" };
  const indent = [0, 1, 2, 4, "\t"][draw(5)];
  const text = JSON.stringify(pack, null, indent) + (draw(2) === 0 ? "\n" : "");
  return { text: draw(3) === 0 ? text.replaceAll("\n", "\r\n") : text, format: "json" };
}

/** The pointers at which two plain values differ. */
function differences(before: unknown, after: unknown, pointer = ""): string[] {
  if (!isObject(before) || !isObject(after)) return Object.is(before, after) ? [] : [pointer];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => differences(before[key], after[key], `${pointer}/${key}`));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** All comments that another parser sees. */
function commentsOf(text: string): string[] {
  const found: string[] = [];
  const visit = (token: unknown): void => {
    if (Array.isArray(token)) token.forEach(visit);
    else if (isObject(token)) {
      if (token["type"] === "comment") found.push(String(token["source"]).trimEnd());
      Object.values(token).forEach(visit);
    }
  };
  for (const token of new Parser(new LineCounter().addNewLine).parse(text)) visit(token);
  return found;
}

function isNamed(pointer: string, { rule, pointer: at }: Diagnostic): boolean {
  // A member or a property gets a new name: the old one goes, and the new one comes beside it.
  const isOfKey = rule === "unknown-agent-member" || rule === "schema";
  const place = isOfKey ? at.slice(0, at.lastIndexOf("/")) : at;
  return place !== "" && (pointer === place || pointer.startsWith(`${place}/`));
}

/** Keys and scalars by their pointers, as the file spells them. */
function spellings(root: Node, text: string): Map<string, string> {
  const spelled = new Map<string, string>();
  for (const node of nodesOf(readDocumentOf(root))) {
    const key =
      node.key !== null && typeof node.key !== "number" ? text.slice(node.key.start, node.key.end) : "";
    spelled.set(node.pointer, node.kind === "scalar" ? `${key}=${text.slice(node.start, node.end)}` : key);
  }
  return spelled;
}

/** The lines that the fix of a finding may touch: those of the object that it changes. */
function linesOf({ rule, pointer, range }: Diagnostic, document: Document): { from: number; to: number } {
  if (rule === "unused-suppression") return { from: range.start.line - 1, to: range.end.line };
  const node = nodeAt(document, pointer);
  const isState = rule === "ambiguous-terminal" || rule === "artifact-not-in-state";
  const { start, end } = isState || node.parent === null ? node : node.parent;
  const lines = document.lines.range(start, end);
  return { from: lines.start.line - 1, to: lines.end.line };
}

const kinds = new Map(rules.map(({ id, fix }) => [id, fix]));

const readDocumentOf = (root: Node) => ({ root }) as Parameters<typeof nodesOf>[0];

it("fixes nothing but what its findings name, and a second run nothing at all", () => {
  let total = 0;
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const random = new SeededRandom(seed);
      const draw: Draw = (below) => random.below(below);
      const { text, format } = write(draw);
      const before = readDocument(text, format);
      expect(before.faults).toEqual([]);
      const findings = ungroupDiagnostics(checkPack(before).kept);
      for (const { rule, fix } of findings)
        if (fix !== undefined)
          expect(fix.unsafe === true ? ["safe", "unsafe"] : ["safe"]).toContain(kinds.get(rule));
      const fixed = fixPack(text, format, draw(2) === 0);
      total += fixed.fixed;

      const again = fixPack(fixed.text, format, true);
      const twice = fixPack(again.text, format, true);
      expect(twice.text).toBe(again.text);

      const after = readDocument(fixed.text, format);
      if (before.root === undefined || after.root === undefined) throw new Error("no tree");
      const changed = differences(toValue(before.root), toValue(after.root));
      expect(changed.filter((pointer) => !findings.some((finding) => isNamed(pointer, finding)))).toEqual([]);

      const spelledBefore = spellings(before.root, text);
      const spelledAfter = spellings(after.root, fixed.text);
      for (const [pointer, spelling] of spelledAfter) {
        const old = spelledBefore.get(pointer);
        if (old !== undefined && !changed.includes(pointer)) expect(spelling).toBe(old);
      }
      const common = [...spelledBefore.keys()].filter((pointer) => spelledAfter.has(pointer));
      expect([...spelledAfter.keys()].filter((pointer) => spelledBefore.has(pointer))).toEqual(common);

      const lines = findings.map((finding) => linesOf(finding, before));
      // Comments that suppress nothing are reported, and removed, once the last error is fixed.
      const isSuppression = (line: number) => text.split("\n")[line]?.includes("promptpack-disable") === true;
      const isFree = (from: number, to: number) =>
        isSuppression(from) || lines.some((range) => range.from <= from && to <= range.to);
      const hunks = findHunks(`${text}\n`, `${fixed.text}\n`);
      const strange = hunks.filter(({ oldStart, oldLines }) => {
        const [from, to] = [oldStart - 1, oldStart - 1 + oldLines];
        if (from === to) return !isFree(from, to);
        return Array.from({ length: to - from }, (_, i) => from + i).some((line) => !isFree(line, line + 1));
      });
      expect(strange).toEqual([]);
      if (format === "yaml") {
        const notes = (all: string) => commentsOf(all).filter((comment) => comment.startsWith("# note"));
        expect(notes(fixed.text)).toEqual(notes(text));
      }
      expect(fixed.text.includes("\r\n")).toBe(text.includes("\r\n"));
      expect(/[^\r]\n/.test(fixed.text)).toBe(/[^\r]\n/.test(text));
    }),
    { numRuns: runs(150, 30), endOnFailure: true },
  );
  if (isFull) expect(total).toBeGreaterThan(150);
});
