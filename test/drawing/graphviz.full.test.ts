import { spawnSync } from "node:child_process";
import process from "node:process";
import { expect, test } from "vitest";
import { drawText, expected, hostileNames, hostilePack, shownName } from "./drawn.js";

const hasDot = spawnSync("dot", ["-V"]).status === 0;

function throughDot(text: string) {
  return spawnSync("dot", ["-Tsvg"], { input: text, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
}

/** Skipped without Graphviz, except in CI. */
test.skipIf(!hasDot && process.env["CI"] === undefined)("Graphviz draws each name as that text", async () => {
  const { status, stdout, stderr } = throughDot((await drawText("dot", hostilePack())).text);
  expect(stderr).toBe("");
  expect(status).toBe(0);
  const shown = hostileNames.map((name) => shownName(name).replaceAll("\u00a0", " "));
  expect(textsOf(stdout, "node")).toEqual(shown);
  expect(textsOf(stdout, "edge")).toEqual(shown.slice(1));
});

test.skipIf(!hasDot && process.env["CI"] === undefined)(
  "Graphviz accepts every kind of node and edge",
  async () => {
    const { status, stdout, stderr } = throughDot((await drawText("dot", expected("small.pack.yaml"))).text);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout.match(/class="node"/g)).toHaveLength(7);
    expect(stdout.match(/class="edge"/g)).toHaveLength(9);
  },
);

/** The labels of the nodes, or of the edges, in file order. */
function textsOf(svg: string, kind: "node" | "edge"): readonly string[] {
  const groups = svg.matchAll(/class="(node|edge)">(.*?)<\/g>\n<(?:!--|\/g)/gs);
  const order = (title: string): number => Number(/\d+$/.exec(title)?.[0]);
  return [...groups]
    .filter(([, found]) => found === kind)
    .map(([, , drawn = ""]) => ({
      title: /<title>(.*?)<\/title>/.exec(drawn)?.[1] ?? "",
      text: [...drawn.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => plain(text ?? "")).join(""),
    }))
    .filter(({ text }) => text !== "")
    .sort((a, b) => order(a.title) - order(b.title))
    .map(({ text }) => text);
}

function plain(text: string): string {
  const named: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', amp: "&" };
  return text
    .replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/g, (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return named[name] ?? whole;
      return String.fromCodePoint(decimal === undefined ? parseInt(hex ?? "", 16) : Number(decimal));
    })
    .replaceAll("\u00a0", " ");
}
