import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { crc32 } from "node:zlib";
import { describe, expect, test } from "vitest";
import { promptpack } from "../cli/harness.js";
import { launch, noBrowser } from "./browser.js";

const picture = "docs/pictures/page.png";
const size = { width: 1120, height: 700 };

/** The page of the example. */
async function drawPage(): Promise<string> {
  const args = ["graph", "examples/codegen.pack.yaml", "--format", "html"];
  return (await promptpack(args, { cwd: process.cwd() })).stdout;
}

/** The page as a reader with a light theme first sees it. */
async function photograph(html: string): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), "promptpack-picture-"));
  const browser = await launch();
  try {
    const file = join(folder, "codegen.html");
    writeFileSync(file, html);
    const page = await browser.newPage({ viewport: size, colorScheme: "light" });
    await page.goto(pathToFileURL(file).href);
    return await page.screenshot();
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

// Machines have different fonts, so pixels cannot be compared. The picture says itself which page it shows.
const keyword = "Source\0";
const endLength = 12;

/** The picture with the hash of its page in a text chunk, before the chunk that ends it. */
function withSource(png: Buffer, html: string): Buffer {
  const body = Buffer.from(`tEXt${keyword}${hashOf(html)}`, "latin1");
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length - "tEXt".length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([png.subarray(0, -endLength), length, body, sum, png.subarray(-endLength)]);
}

/** Of what is shown and how it looks. The code of the page may change. */
function hashOf(html: string): string {
  const shown = html.replace(/<script>[^]*?<\/script>/g, "").replace(/script-src '[^']*'/, "");
  return createHash("sha256").update(shown).digest("hex");
}

describe.skipIf(noBrowser)("the picture in the README", () => {
  test("is the page of today", async () => {
    const html = await drawPage();
    const png = withSource(await photograph(html), html);
    if (process.env["UPDATE"] === "1") writeFileSync(picture, png);
    const committed = readFileSync(picture);
    const hint = `${picture} is outdated: UPDATE=1 npx vitest run --mode full test/browser/picture`;
    expect(committed.includes(`${keyword}${hashOf(html)}`), hint).toBe(true);
    // The header has the size, and an empty page would be a tenth as long.
    expect([committed.readUInt32BE(16), committed.readUInt32BE(20)]).toEqual([size.width, size.height]);
    expect(png.length).toBeGreaterThan(committed.length / 2);
    expect(png.length).toBeLessThan(committed.length * 2);
  });
});
