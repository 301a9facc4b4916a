import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { expect, it } from "vitest";
import { decodePack, encodePack } from "../../site/client/playground/pack-link.js";
import { runs } from "../runs.js";

it("carries any text there and back, in letters that an address can hold", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "grapheme", maxLength: 2_000 }), async (text) => {
      const encoded = await encodePack(text);
      expect(encoded).toMatch(/^[\w-]*$/);
      expect(await decodePack(encoded)).toBe(text);
    }),
    { numRuns: runs(200) },
  );
});

it("reads what the pages of rules write, which is not compressed", async () => {
  const text = "id: greeter\nname: Grüße\n";
  expect(await decodePack(deflateRawSync(text, { level: 0 }).toString("base64url"))).toBe(text);
});

const damaged = "The link holds no pack: it is damaged, or a part of it is missing.";

it.each([
  ["what is not base64", "<script>", damaged],
  ["what is not deflated", "AAAA", damaged],
  [
    "a link that was cut short",
    deflateRawSync("id: x\n".repeat(50)).toString("base64url").slice(0, -4),
    damaged,
  ],
  [
    "bytes that are not UTF-8",
    deflateRawSync(Buffer.from([0xff, 0xfe, 0x41])).toString("base64url"),
    damaged,
  ],
  ["more letters than a link has", "A".repeat(32_001), "The link is too long to hold a pack."],
  [
    "a small link with a huge text",
    deflateRawSync("a".repeat(20_000_000)).toString("base64url").slice(0, 32_000),
    "The link holds a text that is too large for the playground.",
  ],
])("refuses %s", async (_, encoded, message) => {
  await expect(decodePack(encoded)).rejects.toThrow(message);
});

it("makes no link that nobody could send", async () => {
  const random = Array.from({ length: 40_000 }, (_, index) => ((index * 2_654_435_761) >>> 7).toString(36));
  await expect(encodePack(random.join(""))).rejects.toThrow(
    /^The pack is too large for a link: it would take \d+ characters, and 32000 are possible\.$/,
  );
});
