import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser, Page } from "../../tools/packages.js";
import { drawText, expected, hostileNames, hostilePack, packOf, shownName } from "../drawing/drawn.js";
import { launch, noBrowser } from "./browser.js";

/** The build that runs in a page: outside of one, Mermaid's parser fails for want of a DOM. */
const library = "tools/node_modules/mermaid/dist/mermaid.min.js";

interface Mermaid {
  initialize(options: object): void;
  parse(text: string): Promise<{ diagramType: string }>;
  render(id: string, text: string): Promise<{ svg: string }>;
}

describe.skipIf(noBrowser)("Mermaid", () => {
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    browser = await launch();
    page = await browser.newPage();
    await page.setContent('<div id="out"></div>');
    await page.addScriptTag({ path: library });
  });
  afterAll(() => browser.close());

  /** What kind of diagram it is, and the texts that are drawn, in the settings GitHub uses. */
  async function drawn(text: string): Promise<{ kind: string; nodes: string[]; edges: string[] }> {
    return page.evaluate(async (source) => {
      const world = globalThis as unknown as { mermaid: Mermaid; document: PageDocument };
      interface PageElement {
        innerHTML: string;
        readonly textContent: string;
        querySelectorAll(selector: string): Iterable<PageElement>;
      }
      interface PageDocument {
        getElementById(id: string): PageElement;
      }
      world.mermaid.initialize({ startOnLoad: false, securityLevel: "strict" });
      const { diagramType } = await world.mermaid.parse(source);
      const { svg } = await world.mermaid.render("drawn", source);
      const out = world.document.getElementById("out");
      out.innerHTML = svg;
      const texts = (selector: string) => [...out.querySelectorAll(selector)].map((one) => one.textContent);
      return { kind: diagramType, nodes: texts(".node .nodeLabel"), edges: texts(".edgeLabel p") };
    }, text);
  }

  test("draws every kind of node and edge", async () => {
    const { kind, nodes, edges } = await drawn(expected("small.mmd"));
    expect(kind).toBe("flowchart-v2");
    expect(nodes).toEqual([
      "",
      "ask",
      "ask",
      "checkexternalmax 3 ⇒ end▤ report",
      "end",
      "alone",
      "nowhereno such state",
    ]);
    expect(edges).toEqual(["DoneRetry", "Again", "Retry", "Done", "Lost", "Done"]);
  });

  test("draws each name as that text", async () => {
    const { nodes, edges } = await drawn((await drawText("mermaid", hostilePack())).text);
    // Mermaid would take its own way of writing codes for a code; a joiner of no width stands between.
    const shown = hostileNames.map((name) => shownName(name).replace("ﬂ", "ﬂ\u200c").replace("¶", "¶\u200c"));
    expect(nodes.slice(1)).toEqual(shown);
    expect(edges).toEqual(shown.slice(1));
  });

  test("draws the events of a state that a forced exit leads back to", async () => {
    const states = {
      a: { on_event: { Loop: "a", Done: "end" }, max_visits: 3, on_max_visits: "a" },
      end: { terminal: true },
    };
    const { edges } = await drawn((await drawText("mermaid", packOf(states))).text);
    expect(edges.filter((text) => text !== "")).toEqual(["Loop", "Done"]);
  });

  test("draws the largest part there is", async () => {
    const states = Object.fromEntries(
      Array.from({ length: 600 }, (_, index) => [`s${index}`, { on_event: { Next: `s${index + 1}` } }]),
    );
    const { text } = await drawText("mermaid", packOf({ ...states, s600: { terminal: true } }));
    // With the entry, and the note that this is a part.
    expect((await drawn(text)).nodes).toHaveLength(450 + 2);
  });
});
