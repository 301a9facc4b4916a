import { createHash } from "node:crypto";
import { Script } from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { draw, drawingFormats } from "../../src/drawing/draw.js";
import { pageScript } from "../../src/drawing/generated/page-script.js";
import { xmlFault } from "../reporters/xml-fault.js";
import { runs } from "../runs.js";
import {
  drawText,
  expected,
  fanPack,
  hostileNames,
  hostilePack,
  packOf,
  shownName,
  subjectOf,
} from "./drawn.js";

const small = expected("small.pack.yaml");

describe("a small pack is drawn exactly", () => {
  test.each([
    ["mermaid", "small.mmd"],
    ["dot", "small.dot"],
    ["svg", "small.svg"],
    ["json", "small.json.out"],
  ] as const)("as %s", async (format, file) => {
    const { text, note } = await drawText(format, small);
    expect(text).toBe(expected(file));
    expect(note).toBeUndefined();
  });

  test("the same bytes each time", async () => {
    for (const format of drawingFormats) {
      expect((await drawText(format, small)).text).toBe((await drawText(format, small)).text);
    }
  });
});

test("a fan is drawn from left to right, a small workflow is not", async () => {
  const sizeOf = async (pack: string, direction: "auto" | "tb" | "lr") => {
    const { text } = await draw("svg", { ...subjectOf(pack), direction });
    return /viewBox="0 0 (\d+) (\d+)"/.exec(text)?.slice(1).map(Number) ?? [];
  };
  const across = await sizeOf(fanPack(), "lr");
  expect(await sizeOf(fanPack(), "auto")).toEqual(across);
  expect(await sizeOf(fanPack(), "tb")).not.toEqual(across);
  expect(await sizeOf(small, "auto")).toEqual(await sizeOf(small, "tb"));
});

test("a standalone picture has literal colours, for viewers without custom properties", async () => {
  const { text } = await drawText("svg", small);
  expect(text).toContain(".ground{fill:#ffffff}");
  expect(text).toContain("@media (prefers-color-scheme:dark){.ground{fill:#0d1117}");
  expect(text).not.toContain("var(");
});

test("a Graphviz drawing has a legend", async () => {
  const states = {
    a: { on_event: { Stay: "a", Go: "b", Done: "end" } },
    b: { on_event: { On: "c" } },
    c: { on_event: { Back: "b" } },
    alone: { on_event: { Done: "end" } },
    end: { terminal: true },
  };
  const dot = (await drawText("dot", packOf(states))).text;
  const swatch = (color: string) => `<font color="${color}">■</font>`;
  expect(dot).toContain(
    `, label=<${swatch("#cf222e")} may never end  ${swatch("#8250df")} cannot reach an end  ${swatch("#afb8c1")} never entered>, labelloc=b, `,
  );
});

test("an empty name is visible", async () => {
  const pack = packOf({ a: { on_event: { "": "" } }, "": { terminal: true } });
  const shown = async (format: "mermaid" | "dot" | "svg") => (await drawText(format, pack)).text;
  expect(await shown("svg")).toMatch(/<text class="name"[^>]*>&quot;&quot;<\/text>/);
  expect(await shown("dot")).toContain("label=<<b>&quot;&quot;</b>>");
  expect(await shown("mermaid")).toContain('s1(["#34;#34;"])');
});

test("three edges between the same two states are all drawn", async () => {
  const states = {
    b: { on_event: { Ok: "draft" } },
    draft: { on_event: { Ok: "f", More: "triage" }, max_visits: 1, on_max_visits: "f" },
    triage: { on_event: { Ok: "f" }, max_visits: 1 },
    f: { max_visits: 1, on_max_visits: "draft" },
    h: { on_event: { Ok: "f" } },
  };
  const { text } = await drawText(
    "svg",
    packOf(states, { agents: { entry: "p", members: { p: { state: "h" } } } }),
  );
  expect(text.match(/<g class="edge[^"]*" data-id/g)).toHaveLength(9);
});

test("Mermaid gets one loop per state, in the colour of its events, and edge numbers without the others", async () => {
  const states = {
    a: { on_event: { Loop: "a", Done: "b" }, max_visits: 3, on_max_visits: "a" },
    b: { on_event: { On: "c" }, max_visits: 3, on_max_visits: "b" },
    c: { on_event: { On: "nowhere" } },
  };
  const { text } = await drawText("mermaid", packOf(states));
  expect(text.split("\n").filter((line) => /--|-\.|linkStyle/.test(line))).toEqual([
    "  a0 --> s0",
    '  s0 -->|"Loop"| s0',
    '  s0 -->|"Done"| s1',
    '  s1 -->|"On"| s2',
    "  s1 -.-> s1",
    '  s2 -->|"On"| g0',
    "  linkStyle 4 stroke:#cf222e,stroke-width:2px",
    "  linkStyle 5 stroke:#cf222e,stroke-width:2px",
  ]);
});

describe("a page", () => {
  test("allows its own script and style, and nothing else", async () => {
    const { text } = await drawText("html", hostilePack());
    const inside = (tag: string) => new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(text)?.[1] ?? "";
    const hash = (part: string) => `'sha256-${createHash("sha256").update(part).digest("base64")}'`;
    expect(text).toContain(
      `content="default-src 'none'; script-src ${hash(inside("script"))}; style-src ${hash(inside("style"))}; base-uri 'none'; form-action 'none'"`,
    );
    expect(text.match(/<\/?script/g)).toEqual(["<script", "</script", "<script", "</script"]);
    expect(text).not.toMatch(/\son\w+=/);
    expect(text).not.toMatch(/(?:src|href|url)\s*[=(]\s*["']?(?:https?:)?\/\//);
  });

  test("contains all its data", async () => {
    const { text } = await drawText("html", small);
    const data = JSON.parse(/id="data">([^]*?)<\/script>/.exec(text)?.[1] ?? "") as {
      states: object[];
      runs: object[];
    };
    expect(data.states[1]).toEqual({
      id: "s1",
      name: "check",
      line: 13,
      ends: false,
      decider: "external",
      guard: "max 3 ⇒ end",
      starts: ["agent ask"],
      prompt: { task: "ask", known: true, text: "Ask.\nEmit Again, Retry or Done.", cut: false },
      events: [
        { event: "Again", to: "check", id: "s1", line: 19 },
        { event: "Retry", to: "ask", id: "s0", line: 19 },
        { event: "Done", to: "end", id: "s2", line: 19 },
        { event: "Lost", to: "nowhere", line: 19 },
      ],
      artifacts: [{ name: "report", about: "text/plain, append" }],
      findings: [0, 2, 3],
    });
    expect(data.runs).toEqual([
      {
        title: "loop-without-budget, line 8",
        start: "s1",
        steps: [{ event: "Again", forced: [], to: "s1", edges: ["e3"] }],
        cut: 0,
      },
      {
        title: "unguarded-reentry, line 12",
        start: "s0",
        steps: [
          { event: "Done", forced: [], to: "s1", edges: ["e2"] },
          { event: "Retry", forced: [], to: "s0", edges: ["e4"] },
        ],
        cut: 0,
      },
      {
        title: "a complete run",
        start: "s1",
        steps: [{ event: "Done", forced: [], to: "s2", edges: ["e5"] }],
        cut: 0,
      },
    ]);
  });

  test("shows no events of a terminal state", async () => {
    const pack = packOf({ a: { on_event: { Go: "end" } }, end: { terminal: true, on_event: { Back: "a" } } });
    const { text } = await drawText("html", pack);
    const data = JSON.parse(/id="data">([^]*?)<\/script>/.exec(text)?.[1] ?? "") as {
      states: { events: { event: string }[] }[];
    };
    expect(data.states.map(({ events }) => events.map(({ event }) => event))).toEqual([["Go"], []]);
  });

  test("has a script that parses", () => {
    expect(() => new Script(pageScript)).not.toThrow();
  });
});

describe("names stay text", () => {
  test("in svg", async () => {
    const { text } = await drawText("svg", hostilePack());
    expect(xmlFault(text)).toBeUndefined();
    const names = [...text.matchAll(/<text class="name"[^>]*>([^<]*)<\/text>/g)].map(([, name]) =>
      unescape(name ?? ""),
    );
    expect(names).toEqual(hostileNames.map(shownName));
    expect(text).toContain(
      '<title id="pp-title">&lt;b&gt;&quot;&amp;amp;&quot; ]]&gt; &lt;/title&gt;</title>',
    );
  });

  test("in json", async () => {
    const { text } = await drawText("json", hostilePack());
    const { nodes } = JSON.parse(text) as { nodes: { kind: string; name: string }[] };
    expect(nodes.filter(({ kind }) => kind === "state").map(({ name }) => name)).toEqual(hostileNames);
    expect(text).not.toMatch(/[\u202e\u0007]/);
  });

  test("for any name", async () => {
    const name = fc.string({ unit: "binary", maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(name, name, async (first, second) => {
        const pack = packOf({
          [`a${first}`]: { on_event: { [`e${second}`]: `b${second}` } },
          [`b${second}`]: {},
        });
        expect(xmlFault((await drawText("svg", pack)).text)).toBeUndefined();
        for (const line of (await drawText("mermaid", pack)).text.split("\n")) {
          expect(line).toMatch(/^[^"]*(?:"[^"`%;\]|]*(?:#\d+;[^"`%;\]|]*)*"[^"]*)?$/u);
        }
        expect((await drawText("html", pack)).text.match(/<script/g)).toHaveLength(2);
      }),
      { numRuns: runs(40) },
    );
  });
});

function unescape(text: string): string {
  const entities = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" } as const;
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: keyof typeof entities) => entities[name]);
}
