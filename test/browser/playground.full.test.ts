import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Browser, BrowserContextOptions, Page } from "../../tools/packages.js";
import { joinFiles, splitFiles } from "../../site/client/files.js";
import { hostilePack, packOf } from "../drawing/drawn.js";
import { siteFolder } from "../site/built-site.js";
import { launch, noBrowser } from "./browser.js";

const playground = pathToFileURL(resolve(siteFolder, "playground.html")).href;
const linkTo = (text: string): string => `#pack=${deflateRawSync(text).toString("base64url")}`;

/** A pack that tries to leave its text behind at every place where the page shows a part of it. */
function intruder(): string {
  const attack = `"><img src=x onerror="window.intruded=1"><script>window.intruded=1</script>`;
  const states = {
    [attack]: { on_event: { [`${attack} Go`]: `${attack} nowhere`, "javascript:window.intruded=1": "end" } },
    end: { prompt_task: attack, terminal: true },
  };
  return packOf(states, { id: attack, name: `</title></script>${attack}`, [attack]: attack });
}

/** A project that tries the same with the names of its files. */
function intrudingProject(): string {
  const attack = `"><img src=x onerror="window.intruded=1"><script>window.intruded=1</script>.yaml`;
  const states = { [attack]: { prompt_task: attack, on_event: { Go: "end" } }, end: { terminal: true } };
  const files = [attack, `${attack} missing`].map((file) => ({ id: file, file }));
  const spec = { prompt_configs: files, workflow: { version: 2, entry: attack, states } };
  const apiVersion = "promptkit.altairalabs.ai/v1alpha1";
  const head = JSON.stringify({ apiVersion, kind: "Arena", metadata: { name: attack }, spec });
  return joinFiles([
    { name: `head${attack}`, text: head },
    { name: attack, text: intruder() },
  ]);
}

describe.skipIf(noBrowser)("the playground", () => {
  let browser: Browser;
  let page: Page;
  let problems: string[];
  let requests: string[];
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    await page.context().close();
    expect(problems).toEqual([]);
  });

  async function open(
    address = playground,
    options: BrowserContextOptions = {},
    script?: string,
  ): Promise<void> {
    const context = await browser.newContext({ viewport: { width: 1300, height: 850 }, ...options });
    page = await context.newPage();
    problems = [];
    requests = [];
    // A violation of the content security policy is told on the console.
    page.on("console", (message) => problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("dialog", (dialog) => problems.push(dialog.message()));
    page.on("request", (request) => requests.push(request.url()));
    if (script !== undefined) await page.addInitScript(script);
    await page.goto(address);
  }

  const patience = { timeout: 30_000 };
  const rules = () => page.locator("#finding-list .rule").allTextContents();
  const summary = () => page.locator("#summary").textContent();
  const drawn = () => page.frameLocator("#drawing iframe:last-child");
  const focused = () => page.evaluate("document.activeElement.textContent");
  const content = () => page.locator(".cm-content");
  /** The text of the editor, which shows only a part of it: the link holds all. */
  async function pack(): Promise<string> {
    await page.evaluate("history.replaceState(null, '', '#')");
    await page.locator("#copy-link").click();
    await page.waitForURL(/#pack=/);
    return inflateRawSync(Buffer.from(page.url().split("#pack=")[1] ?? "", "base64url")).toString();
  }

  async function type(text: string): Promise<void> {
    await content().focus();
    await page.keyboard.press("Control+a");
    // Where text replaces styled text, Chromium would keep the style in an attribute, which the policy blocks.
    await page.keyboard.press("Delete");
    await page.keyboard.insertText(text);
  }

  test("works as a file, with the network off", async () => {
    await open(playground, { offline: true });
    await expect
      .poll(rules, patience)
      .toEqual(["unbounded-loop", "variable-lost", "reading-unset", "unguarded-reentry", "dead-guard"]);
    expect(await summary()).toBe("1 warning, 4 infos");
    expect(await page.locator("#format").textContent()).toBe("YAML, PromptPack 1.4.1");
    await page.locator(".message").first().click();
    expect(await page.locator(".cm-lintRange-warning").allTextContents()).toEqual(["review"]);
    expect(await page.locator(".cm-lint-marker-warning").count()).toBe(1);
    await drawn().locator("[data-id=s4]").waitFor();
    await page.locator("#tab-simulator").click();
    await page.getByRole("button", { name: "PlanReady" }).click();
    await expect.poll(() => page.locator("#simulator h2").textContent(), patience).toBe("implement");
    const schemes = new Set(requests.map((address) => new URL(address).protocol));
    expect([...schemes].filter((scheme) => !["file:", "blob:", "about:", "data:"].includes(scheme))).toEqual(
      [],
    );
  });

  test("works below any path of a server, and asks it for nothing but its own files", async () => {
    const types: Readonly<Record<string, string>> = {
      ".html": "text/html",
      ".js": "text/javascript",
      ".css": "text/css",
    };
    const server: Server = createServer(({ url = "" }, response) => {
      const path = url.replace(/^\/a\/b\//, "").replace(/[?#].*$/, "");
      try {
        const body = readFileSync(join(siteFolder, path));
        response.writeHead(200, { "content-type": types[extname(path)] ?? "image/svg+xml" }).end(body);
      } catch {
        response.writeHead(404).end();
      }
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const home = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a/b/`;
    try {
      await open(`${home}playground.html#example=self-correcting`);
      await expect.poll(summary, patience).toMatch(/finding|info|warning/i);
      await drawn().locator("[data-id=s0]").waitFor();
      const asked = requests.filter((address) => address.startsWith("http"));
      const names = asked.map((address) => address.replace(home, "").replace(/#.*$/, ""));
      const known = [
        "playground.html",
        "site.css",
        "playground.css",
        "theme.js",
        "site.js",
        "playground.js",
        "favicon.svg",
      ];
      expect(names.filter((name) => !known.includes(name))).toEqual([]);
    } finally {
      server.close();
    }
  });

  test("finds what is wrong as you type, leads to the place, and fixes it", async () => {
    await open();
    await type(packOf({ a: { on_event: { Go: "ende" } }, end: { terminal: true } }));
    await expect.poll(rules, patience).toContain("unknown-event-target");
    expect(await page.locator("#format").textContent()).toMatch(/^JSON, /);
    const finding = page.locator("#finding-list li").filter({ hasText: "unknown-event-target" });
    await finding.locator(".message").click();
    expect(await page.evaluate("document.activeElement.id")).toBe("editor");
    expect(await page.evaluate("String(document.getElementById('editor').shadowRoot.getSelection())")).toBe(
      '"ende"',
    );
    expect(await finding.locator("a").getAttribute("href")).toBe("rules/unknown-event-target.html");
    await finding.getByRole("button", { name: 'Replace "ende" with "end" (a guess)' }).click();
    await expect.poll(rules, patience).not.toContain("unknown-event-target");
    expect(JSON.parse(await pack())).toMatchObject({
      workflow: { states: { a: { on_event: { Go: "end" } } } },
    });
    await page.keyboard.press("Control+z");
    await expect.poll(rules, patience).toContain("unknown-event-target");
  });

  test("says what is wrong with a text that is no pack, and keeps the last drawing", async () => {
    await open();
    await drawn().locator("[data-id=s0]").waitFor();
    await type("id: [");
    await expect.poll(rules, patience).toEqual(["parse-error"]);
    await expect
      .poll(() => page.locator("#drawing-note").textContent(), patience)
      .toBe("The pack cannot be read; the findings say why. This is the last drawing.");
    await page.locator("#tab-simulator").click();
    await expect
      .poll(() => page.locator("#simulator").textContent(), patience)
      .toBe("The pack cannot be read; the findings say why.");
  });

  test("shows the whole drawing, also one that was made out of sight", async () => {
    const sees = async (id: string): Promise<boolean> => {
      const [frame, state] = await Promise.all([
        page.locator("#drawing iframe").last().boundingBox(),
        drawn().locator(`[data-id=${id}]`).boundingBox(),
      ]);
      if (frame === null || state === null) return false;
      const isWithin = (at: "x" | "y", size: "width" | "height"): boolean =>
        state[at] >= frame[at] && state[at] + state[size] <= frame[at] + frame[size];
      return isWithin("x", "width") && isWithin("y", "height");
    };
    await open(`${playground}#example=unknown-state`);
    await drawn().locator("[data-id=s3]").waitFor();
    for (const id of ["s0", "s3"]) await expect.poll(() => sees(id), patience).toBe(true);
    await page.locator("#tab-simulator").click();
    await page.locator("#theme").click();
    await page.locator("#tab-drawing").click();
    for (const id of ["s0", "s3"]) await expect.poll(() => sees(id), patience).toBe(true);
  });

  test("is used with the keyboard alone", async () => {
    await open();
    await expect.poll(summary, patience).toBe("1 warning, 4 infos");
    const tabUntil = async (selector: string, key = "Tab"): Promise<void> => {
      for (let press = 0; press < 40; press++) {
        if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
        await page.keyboard.press(key);
      }
      throw new Error(`The keyboard does not get to ${selector}.`);
    };
    await tabUntil("#examples");
    await page.keyboard.type("A state that");
    await expect.poll(rules, patience).toEqual(["unknown-event-target", "unknown-prompt-task"]);
    await tabUntil("#tab-drawing");
    await page.keyboard.press("ArrowRight");
    expect(await page.locator("#tab-simulator").getAttribute("aria-selected")).toBe("true");
    await tabUntil("#editor");
    await page.keyboard.press("Control+End");
    await page.keyboard.type("# checked\n");
    expect(await pack()).toMatch(/# checked\n$/);
    // The findings of what was typed may take the place of the one in focus.
    const follow = async () => {
      await tabUntil("#finding-list .message");
      await page.keyboard.press("Enter");
      return page.evaluate("document.activeElement.id");
    };
    await expect.poll(follow, patience).toBe("editor");
    await tabUntil("#finding-list button.small");
    await page.keyboard.press("Enter");
    await expect.poll(rules, patience).toEqual(["unknown-prompt-task"]);
    await tabUntil(".event");
    expect(await focused()).toBe("Refund");
    await page.keyboard.press("Enter");
    await expect.poll(focused, patience).toBe("Solved");
    await page.keyboard.press("Enter");
    await expect
      .poll(() => page.locator(".ending").textContent(), patience)
      .toMatch(/^Complete in "goodbye"/);
    expect(await focused()).toBe("goodbye");
    await tabUntil("[data-name=back]", "Shift+Tab");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator("#simulator h2").textContent(), patience).toBe("refund");
    expect(await focused()).toBe("Back");
    expect(await page.locator(".history li").allTextContents()).toEqual(["greet ─Refund→ refund"]);
  });

  test("answers the branches of a composition, and follows the pack", async () => {
    await open(`${playground}#example=composition`);
    await page.locator("#tab-simulator").click();
    await page.getByRole("button", { name: "No", exact: true }).click();
    await expect.poll(() => page.locator("#simulator dl").textContent(), patience).toContain("fails");
    expect(await focused()).toBe("No");
    await page.getByRole("button", { name: "Again", exact: true }).click();
    await expect.poll(() => page.locator(".history li").count(), patience).toBe(1);
    await type((await pack()).replace("Again: intake", "Retry: intake"));
    await expect
      .poll(() => page.locator("#simulator [role=status]").textContent(), patience)
      .toBe("The pack changed, and the last event of the run cannot happen any more.");
  });

  test("finds what is proved to end a loop, with the keyboard", async () => {
    await open(`${playground}#example=endless-loop`);
    await page.getByRole("button", { name: "Find fixes" }).press("Enter");
    const first = 'Add max_visits 5 to "write": longest run 11 visits, was endless';
    await expect.poll(focused, patience).toBe(first);
    await page.keyboard.press("Enter");
    await expect.poll(rules, patience).toEqual(["loop-without-budget", "unguarded-reentry"]);
    expect(await pack()).toContain("        DraftReady: edit\n      max_visits: 5\n");
  });

  const tabs = () => page.locator("#files [role=tab]").allTextContents();
  const chosen = () => page.locator("#files [aria-selected=true]").textContent();
  const places = () => page.locator("#finding-list .file").allTextContents();
  const selected = () => page.evaluate("String(document.getElementById('editor').shadowRoot.getSelection())");

  test("opens a project with a tab for each file, and fixes each file", async () => {
    await open();
    await page.locator("#examples").selectOption("project");
    await expect.poll(rules, patience).toEqual(["unbounded-loop", "unknown-tool", "scenario-unknown-name"]);
    expect(await places()).toEqual(["kitchen.arena.yaml", "prompts/cook.yaml", "scenarios/dinner.yaml"]);
    expect(await page.getByRole("tablist", { name: "Files" }).getByRole("tab").count()).toBe(5);
    expect(await tabs()).toEqual([
      "kitchen.arena.yaml 1 finding",
      "prompts/cook.yaml 1 finding",
      "prompts/taster.yaml",
      "tools/pantry.yaml",
      "scenarios/dinner.yaml 1 finding",
    ]);
    await drawn().locator("[data-id=s2]").waitFor();

    await page.getByRole("tab", { name: "kitchen.arena.yaml 1 finding" }).focus();
    await page.keyboard.press("ArrowLeft");
    expect(await focused()).toBe("scenarios/dinner.yaml 1 finding");
    expect(await page.locator("#files [tabindex='0']").allTextContents()).toEqual([await chosen()]);
    expect(await page.getByRole("tabpanel", { name: "scenarios/dinner.yaml" }).count()).toBe(1);
    expect(await page.locator(".cm-lintRange-warning").allTextContents()).toEqual(["served"]);

    await page.locator(".message").nth(1).click();
    expect([await chosen(), await selected()]).toEqual(["prompts/cook.yaml 1 finding", "read_pantri"]);
    expect(await page.evaluate("document.activeElement.id")).toBe("editor");

    await page.locator("#files [role=tab]").nth(3).click();
    await page.getByRole("button", { name: 'Replace "read_pantri" with "read_pantry" (a guess)' }).click();
    await expect.poll(rules, patience).toEqual(["unbounded-loop", "scenario-unknown-name"]);
    expect(await chosen()).toBe("prompts/cook.yaml");
    await page.getByRole("button", { name: "Find fixes" }).click();
    await page.getByRole("button", { name: /^Add max_visits 5 to "cook"/ }).click();
    await expect.poll(rules, patience).not.toContain("unbounded-loop");
    expect(await chosen()).toMatch(/^kitchen.arena.yaml/);

    const files = splitFiles(await pack());
    expect(files[0]?.text).toContain("          MenuReady: taste\n        max_visits: 5\n");
    expect(files[1]?.text).toContain("  allowed_tools: [read_pantry]\n");
    await content().focus();
    await page.keyboard.press("Control+z");
    await expect.poll(rules, patience).toContain("unbounded-loop");
  });

  test("carries a project in a link, and lints all of it while one file changes", async () => {
    await open(`${playground}#example=project`);
    await page.locator("#files [role=tab]").nth(2).click();
    await content().focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("  task_type: taster # twice");
    await expect.poll(places, patience).toContain("prompts/taster.yaml");
    expect(await chosen()).toMatch(/^prompts\/taster.yaml \d/);
    const before = { all: splitFiles(await pack()), found: await rules() };
    const link = page.url();
    await page.context().close();
    await open(link);
    await expect.poll(rules, patience).toEqual(before.found);
    expect(splitFiles(await pack())).toEqual(before.all);
    expect(before.all[2]?.text).toMatch(/ # twice$/);
    // A pack in place of the head is linted by itself.
    await page.locator("#files [role=tab]").first().click();
    await type(packOf({ a: { on_event: { Go: "ende" } }, end: { terminal: true } }));
    await expect.poll(rules, patience).toContain("unknown-event-target");
    expect(new Set(await places())).toEqual(new Set(["kitchen.arena.yaml"]));
    await page.locator("#files [role=tab]").last().click();
    await page.getByRole("button", { name: 'Replace "ende" with "end" (a guess)' }).click();
    await expect.poll(rules, patience).not.toContain("unknown-event-target");
    expect(splitFiles(await pack())[0]?.text).toContain('"Go":"end"');
    await page.locator("#examples").selectOption("composition");
    await expect.poll(rules, patience).not.toContain("scenario-unknown-name");
    expect(await page.locator("#files").isVisible()).toBe(false);
    expect(await pack()).toMatch(/^# One state runs several steps/);
  });

  test("names the files that a head alone lacks, and takes them", async () => {
    const files = ["kitchen.arena.yaml", "prompts/cook.yaml"].map((name) =>
      readFileSync(`site/examples/project/${name}`, "utf8"),
    );
    const lacking = [
      "prompts/cook.yaml",
      "prompts/taster.yaml",
      "tools/pantry.yaml",
      "scenarios/dinner.yaml",
    ];
    await open();
    await type(files[0] ?? "");
    await expect.poll(rules, patience).toEqual([...lacking.map(() => "source-file"), "unbounded-loop"]);
    expect((await tabs()).slice(1)).toEqual(lacking.map((name) => `${name}, missing`));
    await page.locator("#files [role=tab]").nth(1).click();
    await type(files[1] ?? "");
    await expect.poll(async () => (await tabs())[1], patience).toBe("prompts/cook.yaml");
    expect((await rules()).filter((rule) => rule === "source-file").length).toBe(3);
    expect(splitFiles(await pack()).map(({ name }) => name)).toEqual(["", "prompts/cook.yaml"]);
    await page.locator("#files [role=tab]").first().click();
    await type(packOf({ a: { terminal: true } }));
    await expect.poll(async () => (await tabs()).length, patience).toBe(2);
  });

  test("fits a phone, one view at a time", async () => {
    await open(playground, { viewport: { width: 375, height: 740 }, isMobile: true, hasTouch: true });
    const shown = async () => {
      const panes = ["editor", "findings", "drawing", "simulator"];
      const visible = await Promise.all(panes.map((pane) => page.locator(`#pane-${pane}`).isVisible()));
      return panes.filter((_, index) => visible[index]);
    };
    expect(await shown()).toEqual(["editor"]);
    for (const view of ["findings", "drawing", "simulator"]) {
      await page.locator(`#tab-${view}`).tap();
      expect(await shown()).toEqual([view]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(375);
    }
    await page.getByRole("button", { name: "PlanReady" }).tap();
    await page.locator("#tab-drawing").tap();
    await drawn().locator("[data-id=s0]").waitFor();
    const box = await page.locator("#drawing iframe").boundingBox();
    expect([box?.width, (box?.height ?? 0) > 400]).toEqual([375, true]);
    await page.locator("#tab-findings").tap();
    await page.locator(".message").first().tap();
    expect(await shown()).toEqual(["editor"]);
    await page.locator("#examples").selectOption("project");
    await expect.poll(rules, patience).toContain("scenario-unknown-name");
    await page.locator("#tab-findings").tap();
    await page.locator(".message").last().tap();
    expect([await shown(), await chosen()]).toEqual([["editor"], "scenarios/dinner.yaml 1 finding"]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(375);
    expect(await page.locator("#files [aria-selected=true]").boundingBox()).toMatchObject({
      x: expect.closeTo(180, -2) as number,
    });
  });

  test("runs nothing of a hostile pack", async () => {
    for (const text of [intruder(), intrudingProject(), hostilePack()]) {
      await open(playground + linkTo(text));
      await expect.poll(summary, patience).toMatch(/error|info|warning/);
      await drawn().locator("[data-id=s0]").waitFor();
      await page.locator("#tab-simulator").click();
      await page.locator(".event").first().click();
      await expect.poll(() => page.locator(".history li").count(), patience).toBe(1);
      await page.locator("#copy-link").click();
      for (const frame of page.frames())
        expect(await frame.evaluate("typeof window.intruded")).toBe("undefined");
      expect(await page.locator("script").count()).toBe(3);
      expect(await page.locator("img[src]").count()).toBe(0);
      expect(await drawn().locator("script").count()).toBe(2);
      expect(await drawn().locator("img[src]").count()).toBe(0);
      if (text !== hostilePack()) await page.context().close();
    }
  });

  test("keeps the drawing from the page, and from everything else", async () => {
    await open();
    await drawn().locator("[data-id=s0]").waitFor();
    expect(await page.locator("#drawing iframe").getAttribute("sandbox")).toBe("allow-scripts");
    const [, frame] = page.frames();
    const reach = await frame?.evaluate(`(() => {
      const attempt = (act) => { try { act(); return "allowed"; } catch (error) { return error.name; } };
      const script = document.createElement("script");
      script.textContent = "window.ran = true";
      document.body.append(script);
      return [attempt(() => parent.document), attempt(() => localStorage), String(window.ran)];
    })()`);
    expect(reach).toEqual(["SecurityError", "SecurityError", "undefined"]);
    // Once by the policy of the drawing, and once by that of the playground.
    const blocked = expect.stringContaining("Executing inline script violates") as string;
    expect(problems.splice(0)).toEqual([blocked, blocked]);
  });

  const damaged = "The link holds no pack: it is damaged, or a part of it is missing.";
  const bomb = deflateRawSync("a".repeat(20_000_000)).toString("base64url");
  test.each([
    ["markup", "%3Cscript%3E", damaged],
    ["what is not deflated", "AAAA", damaged],
    ["a small link to a huge text", bomb, "The link holds a text that is too large for the playground."],
    ["a huge link", "A".repeat(40_000), "The link is too long to hold a pack."],
  ])("says what is wrong with a link: %s", async (_, encoded, message) => {
    await open(`${playground}#pack=${encoded}`);
    await expect.poll(summary, patience).toBe("1 warning, 4 infos");
    expect(await page.locator("#message").textContent()).toBe(`${message} An example is shown instead.`);
  });

  test("carries the pack in a link", async () => {
    await open(playground, { permissions: ["clipboard-read", "clipboard-write"] });
    const text = packOf({ "a state": { on_event: { Go: "end" } }, end: { terminal: true } });
    await type(text);
    await page.locator("#copy-link").click();
    await expect.poll(() => page.locator("#message").textContent(), patience).toMatch(/^The link is /);
    const link = page.url();
    expect(link).toMatch(/#pack=[\w-]+$/);
    await page.context().close();
    await open(link);
    await expect.poll(pack, patience).toBe(text);
  });

  test("stops what takes too long, says so, and goes on", async () => {
    // A worker that does not answer when it is asked about one text.
    const stubborn = `
      const { postMessage } = Worker.prototype;
      Worker.prototype.postMessage = function (request) {
        if (request.input !== "id: endless") postMessage.call(this, request);
      };`;
    await open(playground, {}, stubborn);
    await expect.poll(summary, patience).toBe("1 warning, 4 infos");
    await type("id: endless");
    await expect.poll(summary, patience).toBe("Not checked");
    expect(await page.locator("#finding-list").textContent()).toBe(
      "Linting was stopped after 5 seconds: the pack is too large or too intricate for this page. The command line has no such limit.",
    );
    await type("id: [");
    await expect.poll(rules, patience).toEqual(["parse-error"]);
  });

  test("has one theme, the drawing included", async () => {
    await open(playground, { colorScheme: "light" });
    await drawn().locator("[data-id=s0]").waitFor();
    await page.locator("#theme").click();
    const ground = "getComputedStyle(document.body).backgroundColor";
    expect(await page.evaluate(ground)).toBe("rgb(13, 17, 23)");
    const inFrame = () => drawn().locator("body").evaluate(ground);
    await expect.poll(inFrame, patience).toBe("rgb(13, 17, 23)");
    expect(await drawn().locator("#theme").isVisible()).toBe(false);
  });
});
