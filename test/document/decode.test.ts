import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decode } from "../../src/document/text-document.js";
import { readDocument } from "../../src/document/read.js";
import { faultsOf } from "./nodes-of.js";

const ascii = (text: string): number[] => [...text].map((char) => char.charCodeAt(0));
const badByte = (hex: string): string =>
  `The file is not valid UTF-8: the byte 0x${hex} is out of place here; save it as UTF-8.`;

describe("decode", () => {
  it("reads UTF-8 and removes a byte order mark", () => {
    expect(decode(new TextEncoder().encode("é😀\0"))).toEqual({ text: "é😀\0", hasBom: false });
    expect(decode(Uint8Array.from([0xef, 0xbb, 0xbf, 0x61]))).toEqual({ text: "a", hasBom: true });
    expect(decode(new Uint8Array())).toEqual({ text: "", hasBom: false });
  });

  const broken: [string, number[], string, number][] = [
    ["a lone continuation", [0x61, 0x80], "80", 1],
    ["an overlong slash", [0x61, 0xc0, 0xaf], "C0", 1],
    ["an overlong three-byte form", [0xe0, 0x80, 0xaf], "E0", 0],
    ["an overlong four-byte form", [0xf0, 0x80, 0x80, 0xaf], "F0", 0],
    ["a surrogate", [0x61, 0x62, 0xed, 0xa0, 0x80], "ED", 2],
    ["a code point past the last", [0xf4, 0x90, 0x80, 0x80], "F4", 0],
    ["a lead byte that never occurs", [0x61, 0xff], "FF", 1],
    ["a truncated end", [0x61, 0xe2, 0x82], "E2", 1],
    ["a truncated middle", [0xf0, 0x9f, 0x98, 0x61], "F0", 0],
    ["Latin-1 after a byte order mark", [0xef, 0xbb, 0xbf, 0x61, 0xe9, 0x62], "E9", 1],
    ["a bad byte after characters of several units", [0xf0, 0x9f, 0x98, 0x80, 0xc3, 0xa9, 0xfe], "FE", 3],
  ];
  it.each(broken)("finds %s", (_, bytes, hex, offset) => {
    expect(decode(Uint8Array.from(bytes)).fault).toEqual({ offset, message: badByte(hex) });
  });

  const foreign: [string, number[], string][] = [
    ["a little-endian mark", [0xff, 0xfe, 0x61, 0], "UTF-16"],
    ["a big-endian mark", [0xfe, 0xff, 0, 0x61], "UTF-16"],
    ["little-endian text", [0x7b, 0, 0x7d, 0], "UTF-16"],
    ["big-endian text", [0, 0x7b, 0, 0x7d], "UTF-16"],
    ["a UTF-32 mark", [0xff, 0xfe, 0, 0, 0x61, 0, 0, 0], "UTF-32"],
    ["a big-endian UTF-32 mark", [0, 0, 0xfe, 0xff], "UTF-32"],
  ];
  it.each(foreign)("names the encoding of %s", (_, bytes, name) => {
    const message = `The file is encoded as ${name}; save it as UTF-8.`;
    expect(decode(Uint8Array.from(bytes))).toEqual({
      text: "",
      hasBom: false,
      fault: { offset: 0, message },
    });
  });

  it("places the first bad byte by line and column", () => {
    const bytes = Uint8Array.from([...ascii('{\n "a": "'), 0xc3, 0xa9, 0xe9, ...ascii('"\n}')]);
    expect(faultsOf(readDocument(bytes, "json"))).toEqual([`2:9-2:10 ${badByte("E9")}`]);
  });

  it("agrees with the strict decoder on every byte string", () => {
    const byte = fc.oneof(
      fc.integer({ min: 0, max: 255 }),
      fc.constantFrom(0x80, 0xc3, 0xe2, 0xed, 0xf0, 0x9f, 0xbf),
    );
    const strict = new TextDecoder("utf-8", { fatal: true });
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 12 }), (list) => {
        // Text first, so that no encoding but UTF-8 is guessed.
        const bytes = Uint8Array.from([...ascii("id: x"), ...list]);
        const { text, fault } = decode(bytes);
        if (fault === undefined) {
          expect(text).toBe(strict.decode(bytes));
          return;
        }
        expect(() => strict.decode(bytes)).toThrow();
        const before = new TextEncoder().encode(text.slice(0, fault.offset));
        expect(bytes.subarray(0, before.length)).toEqual(before);
      }),
    );
  });
});
