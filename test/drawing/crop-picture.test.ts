import { describe, expect, test } from "vitest";
import { computeLayout } from "../../src/drawing/layout.js";
import { countBends, cropForLayout, cropPicture, needsFastRanking } from "../../src/drawing/crop-picture.js";
import { cropForMermaid, mermaid } from "../../src/drawing/mermaid.js";
import { cropNote, isStateNode, type Picture, type PictureNode } from "../../src/drawing/picture.js";
import { svg } from "../../src/drawing/svg.js";
import { buildPicture } from "../../src/drawing/build-picture.js";
import { isFull } from "../runs.js";
import { drawText, packOf, pictureOf, subjectOf } from "./drawn.js";

/** `s0` to `s<length - 1>` in a row, with what `more` adds to one of them. */
function row(length: number, more: Readonly<Record<number, object>> = {}): string {
  const states = Array.from({ length }, (_, index): [string, object] => {
    const last = index === length - 1;
    return [`s${index}`, last ? { terminal: true } : { on_event: { Next: `s${index + 1}`, ...more[index] } }];
  });
  return packOf(Object.fromEntries(states) as Record<string, Record<string, unknown>>);
}

function plain(text: string): Picture {
  return buildPicture({ ...subjectOf(text), diagnostics: [] });
}

const names = (picture: Picture) => picture.nodes.filter(isStateNode).map(({ name }) => name);

describe("cropping a picture", () => {
  test("changes nothing if everything fits", () => {
    const picture = plain(row(5));
    expect(cropPicture(picture, { states: 5, edges: 10 })).toBe(picture);
  });

  test("keeps the states nearest to the entry if there are no findings", () => {
    const part = cropPicture(plain(row(50)), { states: 4, edges: 100 });
    expect(names(part)).toEqual(["s0", "s1", "s2", "s3"]);
    expect(part.nodes.filter(isStateNode).map(({ hiddenEdges }) => hiddenEdges)).toEqual([0, 0, 0, 1]);
    expect(cropNote(part)).toBe("4 of 50 states are drawn: the part nearest to the entry.");
  });

  test("keeps the surroundings of the most severe findings, with ghosts and starts", () => {
    const picture = pictureOf(row(50, { 20: { Lost: "nowhere" } }));
    const part = cropPicture(picture, { states: 2, edges: 100 });
    expect(names(part)).toEqual(["s19", "s20"]);
    expect(part.nodes.map(({ kind }) => kind)).toEqual(["state", "state", "ghost"]);
    expect(cropNote(part)).toBe("2 of 50 states are drawn: the part around the findings.");
  });

  test("continues at the entry if nothing is left around the findings", () => {
    const text = row(50).replace('"s49":', '"island": { "prompt_task": "p", "terminal": true }, "s49":');
    const part = cropPicture(pictureOf(text), { states: 4, edges: 100 });
    expect(names(part)).toEqual(["s0", "s1", "s2", "island"]);
    expect(part.nodes.map(({ kind }) => kind)).toContain("start");
  });

  test("describes the whole workflow, without counts of the part", () => {
    const text = svg(cropPicture(plain(row(50)), { states: 4, edges: 100 }));
    const note = "4 of 50 states are drawn: the part nearest to the entry.";
    expect(text).toContain(`<desc id="pp-desc">A workflow of 50 states. ${note}</desc>`);
  });

  test("gives half of the room to the surroundings of the findings, however small", () => {
    const lost = [10, 20, 30, 40].map((index) => [index, { Lost: `nowhere ${index}` }]);
    const picture = pictureOf(row(50, Object.fromEntries(lost) as Record<number, object>));
    const fits = (part: Picture) => names(part).length <= 4;
    const part = cropPicture(picture, { states: 50, edges: 100, fits });
    expect(names(part)).toEqual(["s9", "s10", "s11", "s20"]);
  });

  test("shrinks until the edges fit", () => {
    const part = cropPicture(plain(row(50)), { states: 50, edges: 10 });
    expect(part.edges.length).toBeLessThanOrEqual(10);
    expect(names(part).length).toBe(8);
  });
});

test("bends count the ranks that edges pass", () => {
  expect(countBends(plain(row(4)))).toBe(8);
  expect(countBends(plain(row(4, { 2: { Back: "s0" } })))).toBe(12);
});

test("Mermaid gets no more than it accepts", () => {
  const text = mermaid(cropForMermaid(plain(row(3_000))));
  expect(text.length).toBeLessThan(50_000);
  expect(text.match(/-->/g)?.length).toBeLessThanOrEqual(500);
  expect(text).toContain('note["421 of 3000 states are drawn#58; the part nearest to the entry#46;"]:::note');
});

test("the layout is limited, however dense the graph", () => {
  const all = Array.from({ length: 60 }, (_, index) => `s${index}`);
  const states = Object.fromEntries(
    all.map((name) => [name, { on_event: Object.fromEntries(all.map((to) => [`E${to}`, to])) }]),
  );
  const part = cropForLayout(plain(packOf(states)));
  expect(countBends(part)).toBeLessThanOrEqual(6_000);
  expect(part.edges.length).toBeLessThanOrEqual(2_000);
});

test.runIf(isFull)("a thousand states are drawn, with two events each", async () => {
  const back = Array.from({ length: 1_000 }, (_, index) => [index, { Back: `s${Math.max(0, index - 1)}` }]);
  const { text, note } = await drawText(
    "svg",
    row(1_000, Object.fromEntries(back) as Record<number, object>),
  );
  expect(note).toBeUndefined();
  expect(text.match(/class="node state/g)).toHaveLength(1_000);
});

test("nodes are next to those they belong to in a large picture too", () => {
  const events = { 200: { Lost: "nowhere" }, 300: { Back: "s100" } };
  const agents = { entry: "a", members: { a: { state: "s250" } } };
  const { nodes } = computeLayout(
    plain(JSON.stringify({ ...(JSON.parse(row(400, events)) as object), agents })),
  );
  const rows = [...new Set(nodes.map(({ y }) => y))].sort((a, b) => a - b);
  const rowsOf = (which: (node: PictureNode) => boolean) =>
    nodes.filter(({ node }) => which(node)).map(({ y }) => rows.indexOf(y));
  expect(rowsOf(isStateNode)).toEqual(Array.from({ length: 400 }, (_, index) => index + 1));
  expect(rowsOf(({ kind }) => kind === "ghost")).toEqual([202]);
  expect(rowsOf(({ kind }) => kind === "start")).toEqual([0, 250]);
});

test("the size of a picture is its number of states", () => {
  const agents = { entry: "a", members: { a: { state: "s1" } } };
  const text = JSON.stringify({ ...(JSON.parse(row(300)) as object), agents });
  expect(needsFastRanking(plain(text))).toBe(false);
  expect(needsFastRanking(plain(row(301)))).toBe(true);
});

test.runIf(isFull)("a picture of more states is cropped and says so", async () => {
  const { text, note } = await drawText("svg", row(1_001));
  expect(note).toBe("1000 of 1001 states are drawn: the part around the findings.");
  expect(text).toContain(`>${note}</text>`);
});

test.runIf(isFull)("json has all of twenty thousand states", async () => {
  const { text, note } = await drawText("json", row(20_000));
  expect(note).toBeUndefined();
  expect(text.match(/"kind": "state"/g)).toHaveLength(20_000);
});
