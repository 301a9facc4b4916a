import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Browser, BrowserContextOptions, Page } from "../../tools/packages.js";
import { readPages, siteFolder } from "../site/built-site.js";
import { launch, noBrowser } from "./browser.js";

const addressOf = (path: string): string => pathToFileURL(resolve(siteFolder, path)).href;

describe.skipIf(noBrowser)("the site", () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());
  afterEach(() => page.context().close());

  async function open(path: string, options: BrowserContextOptions = {}): Promise<void> {
    const context = await browser.newContext({ offline: true, ...options });
    page = await context.newPage();
    await page.goto(addressOf(path));
  }

  const focused = () => page.evaluate("document.activeElement.textContent");

  test("needs no JavaScript to be read", async () => {
    await open("index.html", { javaScriptEnabled: false });
    await page.getByText("Rules", { exact: true }).first().click();
    await page.getByRole("link", { name: "unbounded-loop", exact: true }).click();
    expect(page.url()).toBe(addressOf("rules/unbounded-loop.html"));
    expect(await page.locator("h1").textContent()).toBe("unbounded-loop");
    expect(await page.getByText("Every loop has a guard or a budget that ends it.").isVisible()).toBe(true);
    // What needs JavaScript is not there.
    expect(await page.locator("#search").isVisible()).toBe(false);
    expect(await page.locator("#theme").isVisible()).toBe(false);
    await page.goto(addressOf("playground.html"));
    expect(await page.locator("noscript p").isVisible()).toBe(true);
    expect(await page.locator("#playground").isVisible()).toBe(false);
  });

  test("is searched with the keyboard alone", async () => {
    await open("guides/index.html");
    await page.keyboard.press("/");
    expect(await page.evaluate("document.activeElement.id")).toBe("search");
    await page.keyboard.type("loop repeat forever");
    await page.locator("#results a").first().waitFor();
    await page.keyboard.press("Escape");
    expect(await page.locator("#search-panel").isVisible()).toBe(false);
    await page.keyboard.type("unbounded-l");
    await page.locator("#results a").first().waitFor();
    expect(await page.locator("#result-count").textContent()).toMatch(/results?$/);
    await page.keyboard.press("ArrowDown");
    expect(await focused()).toContain("unbounded-loop");
    await page.keyboard.press("Enter");
    await page.waitForURL(addressOf("rules/unbounded-loop.html"));
  });

  test("says when nothing is found", async () => {
    await open("rules/schema.html");
    await page.locator("#search").fill("xyzzyplugh");
    await expect
      .poll(() => page.locator("#result-count").textContent(), { timeout: 10_000 })
      .toBe("Nothing found.");
    expect(await page.locator("#results a").count()).toBe(0);
  });

  test("skips to the content", async () => {
    await open("rules/schema.html");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Skip to the content");
    expect(await page.locator(".skip").boundingBox()).toMatchObject({ y: 10 });
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Rules");
    expect(await page.evaluate("document.activeElement.closest('main') !== null")).toBe(true);
  });

  test("is light or dark as the system is, until the reader chooses", async () => {
    await open("rules/index.html", { colorScheme: "dark" });
    const ground = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
    expect(await ground()).toBe("rgb(13, 17, 23)");
    expect(await page.locator("#theme").getAttribute("aria-pressed")).toBe("true");
    await page.locator("#theme").click();
    expect(await ground()).toBe("rgb(255, 255, 255)");
    await page.goto(addressOf("guides/index.html"));
    expect(await ground()).toBe("rgb(255, 255, 255)");
    expect(await page.locator("#theme").getAttribute("aria-pressed")).toBe("false");
  });

  test.each(["light", "dark"] as const)(
    "has text that stands out from its ground, %s",
    async (colorScheme) => {
      await open("rules/schema.html", { colorScheme });
      const weak = await page.evaluate(`(() => {
      const probe = document.body.appendChild(document.createElement("i"));
      const luminance = (name) => {
        probe.style.color = "var(--" + name + ")";
        const parts = getComputedStyle(probe).color.match(/[0-9.]+/g).slice(0, 3).map((part) => part / 255);
        const [r, g, b] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const pairs = [
        ...["text", "muted", "accent", "error", "warning", "info", "code-key", "code-string", "code-value", "code-comment"]
          .flatMap((name) => [[name, "bg"], [name, "panel"]]),
        ["on-accent", "accent"], ["error", "error-tint"], ["warning", "warning-tint"], ["info", "tint"], ["text", "tint"], ["muted", "tint"],
      ];
      return pairs.filter(([a, b]) => {
        const [low, high] = [luminance(a), luminance(b)].sort((one, other) => one - other);
        return (high + 0.05) / (low + 0.05) < 4.5;
      }).map((pair) => pair.join(" on "));
    })()`);
      expect(weak).toEqual([]);
    },
  );

  test("fits a phone on every page", async () => {
    await open("index.html", {
      viewport: { width: 375, height: 740 },
      isMobile: true,
      hasTouch: true,
      javaScriptEnabled: false,
    });
    const wide: string[] = [];
    for (const path of readPages().keys()) {
      await page.goto(addressOf(path));
      if ((await page.evaluate("document.documentElement.scrollWidth")) !== 375) wide.push(path);
    }
    expect(wide).toEqual([]);
  });

  test("leads from an example of a page to the playground", async () => {
    await open("rules/unknown-entry.html");
    await page.getByText("Open in the playground").first().click();
    await expect
      .poll(() => page.locator("#finding-list .rule").allTextContents(), { timeout: 30_000 })
      .toEqual(["unknown-entry"]);
  });
});
