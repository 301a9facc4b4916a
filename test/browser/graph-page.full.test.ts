import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { draw } from "../../src/drawing/draw.js";
import { drawOverlay } from "../../src/drawing/overlay.js";
import type { Browser, BrowserContextOptions, Page } from "../../tools/packages.js";
import { triage } from "../composition/triage-pack.js";
import { drawText, hostilePack, packOf, subjectOf } from "../drawing/drawn.js";
import { launch, noBrowser } from "./browser.js";

const codegen = readFileSync(
  fileURLToPath(new URL("../../examples/codegen.pack.yaml", import.meta.url)),
  "utf8",
);

/** A chain of more states than a page draws, with a loop at its end. */
function largePack(): string {
  const chain = Array.from({ length: 1_011 }, (_, index) => {
    const next = index === 1_010 ? { Again: "step 1010", Next: "end" } : { Next: `step ${index + 1}` };
    return [`step ${index}`, { on_event: next }] as const;
  });
  const prompt = { id: "p", name: "P", version: "1.0.0", system_template: "Emit Next or Again." };
  return packOf({ ...Object.fromEntries(chain), end: { terminal: true } }, { prompts: { p: prompt } });
}

/** A state whose name is far longer than any place for it. */
function longPack(): string {
  return packOf({
    [`wait ${"and wait ".repeat(20)}`]: { on_event: { Next: "end" } },
    end: { terminal: true },
  });
}

describe.skipIf(noBrowser)("the page", () => {
  const folder = mkdtempSync(join(tmpdir(), "promptpack-page-"));
  const troubles: string[] = [];
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    browser = await launch();
    writeFileSync(join(folder, "codegen.html"), (await drawText("html", codegen)).text);
    const plain = await draw("html", { ...subjectOf(codegen), diagnostics: undefined });
    writeFileSync(join(folder, "plain.html"), plain.text);
    const linked = '"rule":"unbounded-loop","docs":"https://example.org/unbounded-loop"';
    const { text } = await drawText("html", codegen);
    writeFileSync(join(folder, "linked.html"), text.replace('"rule":"unbounded-loop"', linked));
    writeFileSync(join(folder, "hostile.html"), (await drawText("html", hostilePack())).text);
    writeFileSync(join(folder, "large.html"), (await drawText("html", largePack())).text);
    writeFileSync(join(folder, "long.html"), (await drawText("html", longPack())).text);
    writeFileSync(
      join(folder, "overlay.html"),
      await drawOverlay(subjectOf(codegen), subjectOf(codegen.replaceAll(/\breview\b/g, "check"))),
    );
    writeFileSync(join(folder, "triage.html"), (await drawText("html", triage)).text);
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    await page.context().close();
    expect(troubles.splice(0)).toEqual([]);
  });

  /** Without motion, unless asked for, so that a run waits to be stepped through. */
  async function open(file: string, options: BrowserContextOptions = {}, hash = ""): Promise<void> {
    const viewport = { width: 1280, height: 800 };
    const context = await browser.newContext({ viewport, reducedMotion: "reduce", ...options });
    page = await context.newPage();
    page.on("console", (message) => troubles.push(`console: ${message.text()}`));
    page.on("pageerror", (error) => troubles.push(`error: ${error.message}`));
    page.on("dialog", (dialog) => troubles.push(`dialog: ${dialog.message()}`));
    const address = pathToFileURL(join(folder, file)).href;
    page.on("request", (request) => {
      if (request.url().replace(/#.*/, "") !== address) troubles.push(`request: ${request.url()}`);
    });
    await page.goto(`${address}${hash}`);
  }

  const hash = () => page.evaluate("location.hash");

  const state = (id: string) => page.locator(`.node[data-id="${id}"]`);
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  const panel = () => page.locator("#panel");
  const where = () => page.locator("#where").textContent();
  const transform = () =>
    page.locator(".scene").evaluate((scene) => (scene as unknown as Styled).style.transform);
  interface Styled {
    readonly style: { readonly transform: string };
  }
  const marked = (name: string) =>
    page.evaluate(
      `[...document.querySelectorAll("[data-id].${name}")].map((shape) => shape.dataset.id).sort()`,
    );

  test("lists the findings, the gravest first", async () => {
    await open("codegen.html");
    await expect(page.title()).resolves.toBe("Code generation agent");
    expect(await panel().locator(".card .severity").allTextContents()).toEqual([
      "warning",
      ...Array.from({ length: 4 }, () => "info"),
    ]);
    expect(await panel().locator(".card .line").first().textContent()).toBe("line 110");
  });

  test("shows a state that is clicked", async () => {
    await open("codegen.html");
    await state("s1").click();
    expect(await panel().locator("h2").textContent()).toBe("implement");
    expect(await panel().locator(".tag").allTextContents()).toEqual(["max 10 ⇒ review"]);
    expect(await panel().locator("pre").textContent()).toMatch(
      /^Write code that follows the plan\.\nLast commit/,
    );
    expect(await panel().locator(".rows li").allTextContents()).toEqual([
      "CodeReady → testline 98",
      "NeedsRethink → planline 99",
      "commit_shatext/plain",
      "test_reportapplication/json",
    ]);
    await panel().getByRole("button", { name: "test", exact: true }).click();
    expect(await panel().locator("h2").textContent()).toBe("test");
    expect(await marked("chosen")).toEqual(["s2"]);
    await panel().getByText("All findings").click();
    expect(await panel().locator("h2").textContent()).toBe("Findings");
  });

  test("plays the run that shows a finding", async () => {
    await open("codegen.html");
    await panel().getByText("Play the run").first().click();
    expect(await where()).toBe("0 of 22 · starts in plan · visit 1");
    expect(await marked("now")).toEqual(["s0"]);
    await press("Step");
    expect(await where()).toBe("1 of 22 · ─PlanReady→ implement · visit 1");
    expect(await marked("now")).toEqual(["e1", "s1"]);
    await press("Back");
    expect(await where()).toBe("0 of 22 · starts in plan · visit 1");
    for (let step = 0; step < 22; step++) await press("Step");
    expect(await where()).toBe(
      "22 of 22 · ─ChangesNeeded→ implement ⇒ review · visit 2 · ↻ lap 1 · forced exit",
    );
    expect(await marked("now")).toEqual(["e4", "e9", "s3"]);
    expect(await marked("via")).toEqual(["s1"]);
    await press("Step");
    expect(await where()).toBe(
      "22 of 22 · ─ChangesNeeded→ implement ⇒ review · visit 3 · ↻ lap 2 · forced exit",
    );
    await press("Back");
    expect(await where()).toContain("visit 2 · ↻ lap 1");
    await press("Restart");
    await press("Play");
    await page.getByText(/^3 of 22 /).waitFor();
    await press("Pause");
    await page.getByLabel("Close the run").click();
    expect(await page.locator("#player").isHidden()).toBe(true);
    expect(await marked("now")).toEqual([]);
  });

  test("plays the run by itself, step after step, where motion is welcome", async () => {
    await open("codegen.html", { reducedMotion: "no-preference" });
    await panel().getByText("Play the run").first().click();
    expect(await where()).toBe("0 of 22 · starts in plan · visit 1");
    await page.getByText(/^2 of 22 /).waitFor();
    expect(await focused()).toBe("Pause");
    await press("Pause");
    expect(await where()).toBe("2 of 22 · ─CodeReady→ test · visit 1");
  });

  test("waits for the reader who wants no motion", async () => {
    await open("codegen.html");
    await panel().getByText("Play the run").first().click();
    await page.waitForTimeout(1_500);
    expect(await where()).toBe("0 of 22 · starts in plan · visit 1");
    expect(await focused()).toBe("Play");
  });

  const chosenCards = () => panel().locator(".card.chosen .line").allTextContents();

  test("shows the states of a card that is clicked, and has a link to it", async () => {
    await open("codegen.html");
    await panel().locator(".card p").first().click();
    expect([await marked("chosen"), await chosenCards(), await hash()]).toEqual([
      ["s1", "s3"],
      ["line 110"],
      "#finding=unbounded-loop:110",
    ]);
    await panel().getByRole("link", { name: "line 102" }).focus();
    await page.keyboard.press("Enter");
    expect([await marked("chosen"), await chosenCards()]).toEqual([["s2"], ["line 102"]]);
    expect(await hash()).toBe("#finding=dead-guard:102");
    await page.keyboard.press("Escape");
    expect([await marked("chosen"), await chosenCards(), await hash()]).toEqual([[], [], ""]);
    await page.goBack();
    await expect.poll(chosenCards).toEqual(["line 102"]);
  });

  test("has a link to each state", async () => {
    await open("codegen.html");
    await state("s1").click();
    expect(await hash()).toBe("#state=implement");
    await panel().getByText("All findings").click();
    expect(await hash()).toBe("");
    await page.evaluate('location.hash = "state=review"');
    await panel().getByRole("heading", { name: "review", exact: true }).waitFor();
    expect(await marked("chosen")).toEqual(["s3"]);
  });

  test.each([
    ["#state=test", ["s2"], []],
    ["#finding=2", ["s1"], ["line 29"]],
    ["#finding=unbounded-loop:110", ["s1", "s3"], ["line 110"]],
    ["#state=nowhere", [], []],
    ["#finding=99", [], []],
    ["#%E0%A4%A", [], []],
  ])("opens at %s", async (link, ids, lines) => {
    await open("codegen.html", {}, link);
    expect([await marked("chosen"), await chosenCards()]).toEqual([ids, lines]);
  });

  test("follows a link to a state with a hostile name", async () => {
    await open("hostile.html");
    for (const id of ["s1", "s3", "s21"]) {
      await state(id).focus();
      await page.keyboard.press("Enter");
      const [title, link] = [await panel().locator("h2").textContent(), await hash()];
      await panel().getByText("All findings").click();
      await page.evaluate(`location.hash = ${JSON.stringify(link)}`);
      await expect.poll(() => panel().locator("h2").textContent()).toBe(title);
    }
  });

  test("filters the findings by severity", async () => {
    await open("codegen.html");
    const shown = async () => {
      const cards = await panel().locator(".card").all();
      return (await Promise.all(cards.map((card) => card.isVisible()))).filter(Boolean).length;
    };
    const infos = panel().getByRole("button", { name: "4 infos" });
    expect(await panel().locator(".filters button").allTextContents()).toEqual(["1 warning", "4 infos"]);
    expect([await shown(), await infos.getAttribute("aria-pressed")]).toEqual([5, "true"]);
    await infos.focus();
    await page.keyboard.press("Enter");
    expect([await shown(), await infos.getAttribute("aria-pressed")]).toEqual([1, "false"]);
    await state("s2").click();
    expect(await shown()).toBe(1);
    await panel().getByText("All findings").click();
    expect([await shown(), await infos.getAttribute("aria-pressed")]).toEqual([1, "false"]);
    await page.evaluate('location.hash = "finding=2"');
    await expect.poll(shown).toBe(5);
    expect(await infos.getAttribute("aria-pressed")).toBe("true");
  });

  test("links a rule to its page, where there is one", async () => {
    await open("codegen.html");
    expect(await panel().locator(".head a").allTextContents()).toEqual(
      [110, 20, 29, 86, 102].map((line) => `line ${line}`),
    );
    await page.context().close();
    await open("linked.html");
    const rule = panel().getByRole("link", { name: "unbounded-loop" });
    expect(await rule.getAttribute("href")).toBe("https://example.org/unbounded-loop");
    expect(await rule.getAttribute("rel")).toBe("noreferrer");
  });

  test("explains every sign it uses, without a script, too", async () => {
    const words = [
      "the entry",
      "ends the run",
      "forced exit, at max_visits",
      "the most visits, and what follows",
      "artifacts it may write",
      "how many findings it has",
      "may never end",
    ];
    for (const javaScriptEnabled of [true, false]) {
      await open("codegen.html", { javaScriptEnabled });
      const texts = await page.locator("#legend li").allInnerTexts();
      expect(texts.map((text) => text.replace(/^.*\n/s, "").trim())).toEqual(words);
      if (javaScriptEnabled) await page.context().close();
    }
  });

  test("plays a run without a loop to its end", async () => {
    await open("codegen.html");
    await panel().getByRole("button", { name: "shortest complete run" }).click();
    await press("Step");
    expect(await where()).toMatch(/^1 of \d+ · ─PlanReady→ implement · visit 1$/);
    while (await page.locator("#step").isEnabled()) await press("Step");
    expect(await where()).toMatch(/^(\d+) of \1 · /);
  });

  const focused = () => page.evaluate("document.activeElement.textContent");

  test("finds states", async () => {
    await open("codegen.html");
    await page.getByLabel("Find a state").fill("E");
    expect(await page.locator("#matches").textContent()).toBe("4 of 5");
    expect(await marked("match")).toEqual(["s1", "s2", "s3", "s4"]);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    expect(await panel().locator("h2").textContent()).toBe("test");
    await page.keyboard.press("Escape");
    expect(await marked("match")).toEqual([]);
  });

  test("names the states that a large drawing leaves out", async () => {
    await open("large.html");
    await panel().getByText("Play the run").first().click();
    expect(await where()).toBe("0 of 1000 · starts in step 0 (not drawn) · visit 1");
    await press("Step");
    expect(await where()).toBe("1 of 1000 · ─Next→ step 1 (not drawn) · visit 1");
    await page.getByLabel("Find a state").fill("step 10");
    expect(await page.locator("#matches").textContent()).toBe("21 of 1000 drawn, 1 not drawn");
  });

  test("begins where it can be read, and shows all on request", async () => {
    await open("hostile.html");
    const box = () => state("s0").boundingBox();
    const { y = 0, height = 0 } = (await box()) ?? {};
    expect(height).toBeGreaterThan(25);
    expect(Math.abs(y - 290)).toBeLessThan(50);
    await press("Fit");
    await expect.poll(async () => (await box())?.height, { timeout: 10_000 }).toBeLessThan(20);
  });

  test("begins at the gravest finding where the entry is not drawn", async () => {
    await open("large.html");
    const { y = 0, height = 0 } = (await page.locator(".node.loop").boundingBox()) ?? {};
    expect(height).toBeGreaterThan(25);
    expect(Math.abs(y - 290)).toBeLessThan(50);
  });

  test("opens a state that runs a composition, and leads from a branch to its targets", async () => {
    await open("triage.html");
    await state("s0").focus();
    await page.keyboard.press("Enter");
    const steps = panel().locator("ol > li");
    const names = await steps.locator("> .step b").allTextContents();
    expect(names).toEqual(["kind", "route", "facts", "ask", "reply"]);
    expect(await steps.nth(2).locator("ul li b").allTextContents()).toEqual(["bought", "left"]);
    await steps.nth(1).getByRole("button", { name: "ask", exact: true }).focus();
    await page.keyboard.press("Enter");
    expect(await page.locator("li:focus b").allTextContents()).toEqual(["ask"]);
  });

  test("keeps a long name inside of its button", async () => {
    await open("long.html");
    const button = panel().locator(".actions button").first();
    expect(await button.textContent()).toMatch(/^wait and wait/);
    expect(
      await page.evaluate(`(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight)(
      document.querySelector(".actions button"))`),
    ).toBe(true);
    const card = await panel().locator(".card").first().boundingBox();
    const box = await button.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan((card?.x ?? 0) + (card?.width ?? 0));
  });

  test("shows the states it finds while a run is played, too", async () => {
    await open("codegen.html");
    const opacity = (id: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('[data-id="${id}"]')).opacity`);
    await panel().getByText("Play the run").first().click();
    expect(await opacity("s2")).toBe("0.3");
    await page.getByLabel("Find a state").fill("test");
    expect([await opacity("s2"), await opacity("s0")]).toEqual(["1", "0.22"]);
    await page.keyboard.press("Escape");
    expect([await opacity("s2"), await opacity("s0")]).toEqual(["0.3", "1"]);
  });

  test("writes names as they are", async () => {
    await open("codegen.html");
    await state("s1").click();
    const title = panel().locator("h3", { hasText: "Prompt" });
    expect(await title.innerText()).toBe("PROMPT coder");
  });

  test("of a plain workflow claims nothing about findings", async () => {
    await open("plain.html");
    expect(await page.locator("header p").textContent()).toBe("5 states");
    expect(await panel().locator("h2").count()).toBe(0);
    expect(await panel().locator("h3").allTextContents()).toEqual(["Legend", "Runs", "Keys"]);
    await state("s1").click();
    await panel().getByText("Overview").click();
    expect(await page.locator("body").innerText()).not.toMatch(/finding/i);
  });

  test("is light or dark as the system is, until the reader chooses", async () => {
    await open("codegen.html", { colorScheme: "dark" });
    const ground = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
    expect(await ground()).toBe("rgb(13, 17, 23)");
    await page.getByText("Dark", { exact: true }).click();
    expect(await ground()).toBe("rgb(255, 255, 255)");
    expect(await page.locator("#theme").getAttribute("aria-pressed")).toBe("false");
  });

  test("is usable by keyboard alone", async () => {
    await open("codegen.html");
    await page.keyboard.press("/");
    expect(await page.evaluate("document.activeElement.id")).toBe("search");
    for (let press = 0; press < 7; press++) await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.dataset.id")).toBe("s0");
    expect(await state("s0").getAttribute("aria-label")).toBe("State plan, entry, 2 findings");
    const ring = await page.evaluate(
      "getComputedStyle(document.activeElement.querySelector('.box')).strokeWidth",
    );
    expect(ring).toBe("4px");
    await page.keyboard.press("Enter");
    expect(await panel().locator("h2").textContent()).toBe("plan");
    expect(await focused()).toBe("plan");
    await page.keyboard.press("Escape");
    expect(await panel().locator("h2").textContent()).toBe("Findings");
    expect(await page.evaluate("document.activeElement.dataset.id")).toBe("s0");
    const before = await transform();
    await page.keyboard.press("ArrowLeft");
    const moved = await transform();
    expect(moved).not.toBe(before);
    await page.keyboard.press("+");
    expect(await transform()).not.toBe(moved);
    await page.keyboard.press("0");
    expect(await transform()).toBe(before);
  });

  test("leads the keyboard on in the panel, and back from a run to what played it", async () => {
    await open("codegen.html");
    await panel().getByText("Play the run").first().focus();
    await page.keyboard.press("Enter");
    expect(await focused()).toBe("Play");
    await page.keyboard.press("Escape");
    expect(await focused()).toBe("Play the run");
    await panel().locator(".actions button").first().focus();
    await page.keyboard.press("Enter");
    const title = await panel().locator("h2").textContent();
    expect(title).not.toBe("Findings");
    expect(await focused()).toBe(title);
    await page.keyboard.press("Escape");
    expect(await focused()).toBe("Findings");
  });

  test("tells a screen reader all that can be seen of a state", async () => {
    await open("codegen.html");
    expect(await state("s1").getAttribute("aria-label")).toBe(
      "State implement, at most 10 visits, then review, may never end, 2 findings",
    );
    expect(await state("s4").getAttribute("aria-label")).toBe("State done, ends the run");
  });

  test("is moved and zoomed with the mouse, which chooses nothing", async () => {
    await open("codegen.html");
    const before = await transform();
    const box = await state("s1").boundingBox();
    if (box === null) throw new Error("The state is not to be seen.");
    await page.mouse.move(box.x + 20, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + 90, box.y + 50, { steps: 4 });
    await page.mouse.up();
    expect((await state("s1").boundingBox())?.x).toBeCloseTo(box.x + 70, 0);
    expect(await panel().locator("h2").textContent()).toBe("Findings");
    await page.mouse.wheel(0, -200);
    expect((await state("s1").boundingBox())?.width).toBeGreaterThan(box.width);
    await page.getByText("Fit").click();
    expect(await transform()).toBe(before);
  });

  test("fits a phone, where the panel comes up from below", async () => {
    await open("codegen.html", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    expect(await panel().isHidden()).toBe(true);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    await state("s3").tap();
    await panel().waitFor({ state: "visible" });
    // The sheet and the picture move; what counts is where they come to rest.
    const rest = async (): Promise<object> => {
      const sheet = await panel().boundingBox();
      const box = await state("s3").boundingBox();
      const top = sheet?.y ?? 0;
      const bottom = (box?.y ?? 0) + (box?.height ?? 0);
      return { width: sheet?.width, isLow: top > 400, showsState: bottom < top };
    };
    await expect.poll(rest, { timeout: 10_000 }).toEqual({ width: 390, isLow: true, showsState: true });
    await page.getByText("Details").tap();
    await panel().waitFor({ state: "hidden" });
  });

  test("shows two versions: what is gone in red, what is new in green", async () => {
    await open("overlay.html");
    const color = (name: string) =>
      page.evaluate(`getComputedStyle(document.querySelector(".node.${name} .box")).stroke`);
    expect([await color("gone"), await color("new")]).toEqual(["rgb(207, 34, 46)", "rgb(26, 127, 55)"]);
    expect((await panel().locator("#legend li").allInnerTexts()).slice(-3)).toEqual([
      "− gone: only in the old version",
      "+ new: only in the new version",
      "± in both, but not the same",
    ]);
    expect(await panel().locator("h2").textContent()).toBe("Changes");
    await page.locator(".node.gone").first().click();
    expect(await panel().locator("h2").textContent()).toBe("review");
    expect(await panel().locator("p.line").textContent()).toMatch(/^old version, line \d+$/);
    await panel().getByText("All changes").click();
    await panel().getByText("shortest complete run, old").click();
    await press("Step");
    expect(await where()).toContain("1 of ");
    expect(await marked("now")).toHaveLength(2);
  });

  test("takes no text of a pack for anything else", async () => {
    await open("hostile.html");
    await state("s1").focus();
    await page.keyboard.press("Enter");
    expect(await panel().locator("h2").textContent()).toBe("<script>alert(1)</script>");
    expect(await page.locator("h1").textContent()).toBe('<b>"&amp;" ]]> </title>');
    expect(await page.locator("script").count()).toBe(2);
  });
});
