import { expect, test } from "vitest";
import { draw } from "../../src/drawing/draw.js";
import { triage } from "../composition/triage-pack.js";
import { xmlFault } from "../reporters/xml-fault.js";
import { drawText, hostileNames, pictureOf, subjectOf } from "./drawn.js";

/** Drawn without findings. */
async function plain(format: "mermaid" | "dot" | "svg" | "html" | "json", pack: string): Promise<string> {
  return (await draw(format, { ...subjectOf(pack), diagnostics: undefined })).text;
}

test("a composition is a subgraph in Mermaid, with its branches and parallels", async () => {
  expect(await plain("mermaid", triage)).toBe(`\
flowchart TD
  a0((" "))
  s0[["intake<br/>composition triage<br/>max 3 ⇒ done"]]
  s1(["done"])
  a0 --> s0
  s0 -->|"Solved"| s1
  s0 -->|"Again"| s0
  s0 -.-> s1
  subgraph c0["composition triage"]
    direction TB
    c0s0("kind<br/>prompt classify")
    c0s1{{"route<br/>kind#46;output#46;intent equals #34;refund#34;"}}
    subgraph c0s2["facts, parallel, barrier into all"]
      c0s2b0("bought<br/>tool orders")
      c0s2b1("left<br/>tool stock")
    end
    c0s3("ask<br/>prompt answer")
    c0s4("reply<br/>agent answer<br/>result")
    c0s0 --> c0s1
    c0s1 -->|"then"| c0s2
    c0s1 -->|"else"| c0s3
    c0s2 --> c0s4
    c0s3 --> c0s4
  end
  s1 ~~~ c0
  classDef start fill:#59636e,stroke:#59636e,color:#59636e
  class a0 start
  classDef ends stroke-width:3px
  class s1 ends
`);
});

test("a composition is a cluster in DOT, tied to its state", async () => {
  const text = await plain("dot", triage);
  expect(text).toContain("pad=0.3, compound=true];");
  const small = (words: string) => `<br/><font point-size="10" color="#59636e">${words}</font>`;
  const box = 'style="rounded,filled", color="#d1d9e0", fontsize=11, fontcolor="#59636e"';
  expect(text.slice(text.indexOf("  subgraph"))).toBe(`\
  subgraph cluster_c0 {
    graph [label="composition triage", ${box}, fillcolor="#f6f8fa"];
    c0s0 [label=<<b>kind</b>${small("prompt classify")}>, tooltip="kind"];
    c0s1 [label=<<b>route</b>${small("kind.output.intent equals &quot;refund&quot;")}>, tooltip="route", shape=hexagon, style=filled];
    subgraph cluster_c0s2 {
      graph [label=<<b>facts</b>${small("parallel, barrier into all")}>, ${box}, fillcolor="#ffffff"];
      c0s2b0 [label=<<b>bought</b>${small("tool orders")}>, tooltip="bought"];
      c0s2b1 [label=<<b>left</b>${small("tool stock")}>, tooltip="left"];
    }
    c0s3 [label=<<b>ask</b>${small("prompt answer")}>, tooltip="ask"];
    c0s4 [label=<<b>reply</b>${small("agent answer")}<br/><font point-size="10" color="#0969da">result</font>>, tooltip="reply"];
    c0s0 -> c0s1;
    c0s1 -> c0s2b0 [lhead=cluster_c0s2, label="then"];
    c0s1 -> c0s3 [label="else"];
    c0s2b1 -> c0s4 [ltail=cluster_c0s2];
    c0s3 -> c0s4;
  }
  s0 -> c0s0 [lhead=cluster_c0, style=dotted, arrowhead=none, weight=0];
}
`);
});

test("a picture has the name of the composition", async () => {
  expect(await plain("svg", triage)).toMatch(
    /<text class="row decider" y="[-.0-9]+">composition triage<\/text>/,
  );
});

test("JSON has the compositions with their steps and edges", async () => {
  const { nodes, compositions } = JSON.parse(await plain("json", triage)) as {
    nodes: { orchestration?: string; composition?: string }[];
    compositions: unknown;
  };
  expect(nodes.map(({ orchestration, composition }) => [orchestration, composition])).toEqual([
    [undefined, undefined],
    ["composition", "triage"],
    [undefined, undefined],
  ]);
  const about = (index: number, name: string, kind: string, line: number, text: string) => ({
    id: `c0s${index}`,
    name,
    kind,
    line,
    about: text,
  });
  const next = (from: number, to: number, label?: string) => ({
    from: `c0s${from}`,
    to: `c0s${to}`,
    kind: "next",
    ...(label !== undefined && { label }),
  });
  expect(compositions).toEqual([
    {
      id: "c0",
      name: "triage",
      line: 20,
      steps: [
        about(0, "kind", "prompt", 24, "classify"),
        {
          ...about(1, "route", "branch", 25, 'kind.output.intent equals "refund"'),
          then: "facts",
          else: "ask",
        },
        {
          ...about(2, "facts", "parallel", 30, "barrier into all"),
          branches: [
            { id: "c0s2b0", name: "bought", kind: "tool", line: 33, about: "orders" },
            { id: "c0s2b1", name: "left", kind: "tool", line: 34, about: "stock" },
          ],
        },
        about(3, "ask", "prompt", 36, "answer"),
        { ...about(4, "reply", "agent", 37, "answer"), dependsOn: ["facts", "ask"], result: true },
      ],
      edges: [next(0, 1), next(1, 2, "then"), next(1, 3, "else"), next(2, 4), next(3, 4)],
    },
  ]);
});

/** A composition of these steps, in each of these states. */
function packOf(steps: readonly object[], states: readonly string[] = ["a"]): string {
  const each = states.map((name, index) => [
    name,
    { orchestration: "composition", composition: "c", on_event: { Next: states[index + 1] ?? "end" } },
  ]);
  return JSON.stringify({
    prompts: { p: { id: "p", name: "P", version: "1.0.0", system_template: "P" } },
    compositions: { c: { version: 1, steps } },
    workflow: {
      version: 1,
      entry: states[0],
      states: { ...Object.fromEntries(each), end: { prompt_task: "p", terminal: true } },
    },
  });
}

const prompt = (id: string) => ({ id, kind: "prompt", prompt_task: "p" });
const branch = (id: string, then: string, rest: object = {}) => ({
  id,
  kind: "branch",
  predicate: { path: `\${input.${id}}`, exists: true },
  then,
  ...rest,
});
const edgesIn = (pack: string) =>
  pictureOf(pack).compositions.flatMap(({ edges, steps }) => {
    const nameOf = new Map(steps.map(({ id, name }) => [id, name]));
    return edges.map(
      ({ from, to, kind, label = "" }) => `${nameOf.get(from)} ${kind} ${label}> ${nameOf.get(to)}`,
    );
  });

test("edges are what may run next, and targets that something else runs before", () => {
  expect(edgesIn(packOf([branch("b", "x"), prompt("x"), prompt("y")]))).toEqual([
    "b next then> x",
    "b next else> y",
    "x next > y",
  ]);
  expect(edgesIn(packOf([branch("b", "x", { else: "y" }), prompt("m"), prompt("x"), prompt("y")]))).toEqual([
    "b next > m",
    "m next > x",
    "m next > y",
    "b target then> x",
    "b target else> y",
  ]);
  const many = Array.from({ length: 13 }, (_, index) => branch(`b${index}`, "x"));
  expect(edgesIn(packOf([...many, prompt("x")])).slice(0, 3)).toEqual([
    "b0 next > b1",
    "b1 next > b2",
    "b2 next > b3",
  ]);
});

test("a composition that several states run is drawn once", async () => {
  const pack = packOf([prompt("x")], ["a", "b"]);
  const dot = await plain("dot", pack);
  expect(dot.match(/cluster_c0 /g)).toHaveLength(1);
  expect(dot.match(/lhead=cluster_c0,/g)).toHaveLength(2);
});

test("steps that do not fit stay closed, and a note says so", async () => {
  const steps = Array.from({ length: 600 }, (_, index) => prompt(`x${index}`));
  const { text, note } = await drawText("mermaid", packOf(steps));
  expect(note).toBe("The steps of 1 composition are not drawn.");
  expect(text).not.toContain("subgraph");
  expect(text).toContain('note["The steps of 1 composition are not drawn#46;"]:::note');
  const dot = await drawText("dot", packOf(steps));
  expect(dot.note).toBeUndefined();
  const more = Array.from({ length: 2_000 }, (_, index) => prompt(`x${index}`));
  expect((await drawText("dot", packOf(more))).note).toBe("The steps of 1 composition are not drawn.");
  expect((await drawText("json", packOf(steps))).note).toBeUndefined();
});

test("a finding in a composition, or in a prompt that it runs, belongs to the states that run it", async () => {
  const { pack, facts, diagnostics } = subjectOf(packOf([prompt("x")], ["a", "b"]));
  expect(diagnostics.length).toBeGreaterThan(0);
  const at = (pointer: string) => ({
    ...diagnostics[0],
    rule: "r",
    pointer,
    data: undefined,
    trace: undefined,
  });
  const found = [at("/compositions/c/steps/0"), at("/prompts/p/system_template"), at("/compositions/d")];
  const input = { pack, facts, diagnostics: found as unknown as typeof diagnostics };
  const { findings } = JSON.parse((await draw("json", input)).text) as { findings: { nodes: string[] }[] };
  expect(findings.map(({ nodes }) => nodes)).toEqual([["s0", "s1"], ["s2", "s0", "s1"], []]);
});

test("the page has the steps as data", async () => {
  const text = await plain("html", triage);
  const json = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(text)?.[1] ?? "";
  const { states, compositions } = JSON.parse(json) as {
    states: { prompt?: unknown; composition?: unknown }[];
    compositions: { id: string; more: number; steps: unknown[] }[];
  };
  expect(states.map(({ composition }) => composition)).toEqual([{ name: "triage", id: "c0" }, undefined]);
  expect(states[0]?.prompt).toBeUndefined();
  expect(compositions.map(({ id, more, steps }) => [id, more, steps.length])).toEqual([["c0", 0, 5]]);
  expect(compositions[0]?.steps[1]).toEqual({
    name: "route",
    kind: "branch",
    line: 25,
    about: 'kind.output.intent equals "refund"',
    then: "facts",
    else: "ask",
    branches: [],
  });
});

test("odd names of steps are text in every format", async () => {
  const steps = hostileNames.map((name, index) => ({
    id: `${name}${index}`,
    kind: index % 2 === 0 ? "tool" : "branch",
    tool: name,
    predicate: { path: name, op: "equals", value: name },
    then: name,
  }));
  const pack = packOf([
    ...steps,
    { id: "p", kind: "parallel", branches: steps, reduce: { strategy: "<b>", into: '"]' } },
  ]);
  const [svg, html] = await Promise.all([plain("svg", pack), plain("html", pack)]);
  expect(xmlFault(svg)).toBeUndefined();
  expect(html.match(/<script/g)).toHaveLength(2);
  for (const line of (await plain("mermaid", pack)).split("\n"))
    expect(line).toMatch(/^[^"]*("[\p{L}\p{N}\p{M} _,▤⇒…<>/#;-]*"[^"]*)*$/u);
});

test("a composition that does not exist is only a name", async () => {
  const pack = triage.replace("composition: triage", "composition: nobody");
  expect(await plain("mermaid", pack)).not.toContain("subgraph");
  expect(await plain("mermaid", pack)).toContain('s0[["intake<br/>composition nobody<br/>');
});
