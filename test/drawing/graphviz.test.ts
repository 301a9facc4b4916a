import { spawnSync } from "node:child_process";
import process from "node:process";
import { expect, test } from "vitest";
import { drawText, expected, hostileNames, hostilePack, shownName } from "./drawn.js";

const hasDot = spawnSync("dot", ["-V"]).status === 0;

function throughDot(text: string) {
  return spawnSync("dot", ["-Tsvg"], { input: text, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
}

/** Skipped only on a machine without Graphviz that is no CI. */
test.skipIf(!hasDot && process.env["CI"] === undefined)("Graphviz draws each name as that text", async () => {
  const { status, stdout, stderr } = throughDot((await drawText("dot", hostilePack())).text);
  expect(stderr).toBe("");
  expect(status).toBe(0);
  const texts = new Set(
    [...stdout.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => plain(text ?? "")),
  );
  for (const name of hostileNames) expect([...texts]).toContain(shownName(name).replaceAll("\u00a0", " "));
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

function plain(text: string): string {
  const named: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', amp: "&" };
  return text
    .replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/g, (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return named[name] ?? whole;
      return String.fromCodePoint(decimal === undefined ? parseInt(hex ?? "", 16) : Number(decimal));
    })
    .replaceAll("\u00a0", " ");
}
