import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findSecrets, maskSecrets } from "../../src/text/secrets.js";
import { isFull, runs } from "../runs.js";
import { body, privateKey, tokens } from "./fake-secrets.js";

const found = (text: string) => [...findSecrets(text)];

describe("what has the form of a key", () => {
  it.each(Object.entries(tokens))("is found and masked: %s", (_, token) => {
    const text = `Use ${token}, please.`;
    expect(found(text).map(({ start, end, maskFrom }) => [text.slice(start, end), maskFrom - start])).toEqual(
      [[token, 0]],
    );
    const masked = maskSecrets(text);
    expect(masked).toBe(`Use ${token.slice(0, 4)}${token.slice(4).replace(/[\w-]/g, "*")}, please.`);
    expect(maskSecrets(masked)).toBe(masked);
  });

  it.each([
    ["in the middle of a word", `x${tokens.google}`],
    ["with one character more", `${tokens.github}x`],
    ["with one character less", tokens.aws.slice(0, -1)],
    ["with a word that says so", `${tokens.stripe.slice(0, 20)}EXAMPLE${tokens.stripe.slice(27)}`],
    ["with a test in it", `ghp_${body(16)}test${body(16)}`],
    ["made of one character", `AKIA${"X".repeat(16)}`],
    ["made of few characters", `ghp_${"q7Zk".repeat(9)}`],
    ["counted up", "sk-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKL"],
    ["a live key that is for tests", `sk_${"test"}_${body(24)}`],
    ["a placeholder in a tag", "sk-proj-{{key}}"],
    ["a public key", privateKey.replaceAll("PRIVATE", "PUBLIC")],
    ["a private key that is prose", `-----BEGIN PRIVATE KEY----- ${"is the first line of a key ".repeat(9)}`],
    ["a private key without most of its body", `-----BEGIN PRIVATE KEY-----\n${body(63)}\n`],
  ])("does not count %s", (_, text) => {
    expect(found(text)).toEqual([]);
    expect(maskSecrets(text)).toBe(text);
  });

  it.each([
    ["a line break", String.raw`"Key:\n${tokens.openai}"`],
    ["a character by its code", String.raw`"Key:\u000a${tokens.openai}"`],
    ["a tab in a string in a string", String.raw`"{\"key\":\"\\t${tokens.openai}\"}"`],
    ["the first letter", `"\\u0073${tokens.openai.slice(1)}"`],
    ["a letter as YAML does", `"${tokens.openai.slice(0, 9)}\\x41${tokens.openai.slice(10)}"`],
    ["nothing but the end of a line", `"${tokens.openai.slice(0, 9)}\\\n    ${tokens.openai.slice(9)}"`],
  ])("is masked where an escape spells %s", (_, source) => {
    const masked = maskSecrets(source);
    expect(masked).toHaveLength(source.length);
    expect(masked).toContain("*".repeat(20));
    expect(masked).not.toMatch(/[A-Za-z\d]{12}/);
  });

  it("is masked in JSON, which stays JSON", () => {
    const value = [privateKey, privateKey.replaceAll("\n", "\\n"), ...Object.values(tokens)];
    for (let json = JSON.stringify(value), depth = 0; depth < 3; json = JSON.stringify(json), depth++) {
      const masked = maskSecrets(json);
      expect(masked).toHaveLength(json.length);
      expect(() => JSON.parse(masked) as unknown).not.toThrow();
      expect(masked).not.toMatch(/[a-zA-Z\d]{24}/);
    }
  });
});

describe("a private key", () => {
  const lines = privateKey.split("\n");

  it("is found by its body, of which the first four characters are shown", () => {
    const text = `Sign with this:\n${privateKey}\nThanks.`;
    const [key, ...more] = found(text);
    expect(more).toEqual([]);
    expect(key).toMatchObject({ kind: "a private key", maskFrom: text.indexOf(lines[1] ?? "") });
    expect(text.slice(key?.start, key?.end)).toBe(lines.slice(0, -1).join("\n"));
    const masked = maskSecrets(text).split("\n");
    expect(masked.slice(0, 2)).toEqual(["Sign with this:", lines[0]]);
    expect(masked[2]).toBe(`${lines[1]?.slice(0, 4)}${"*".repeat(60)}`);
    expect(masked.slice(3, -2).join("")).toMatch(/^\*+$/);
    expect(masked.slice(-2)).toEqual([lines.at(-1), "Thanks."]);
  });

  it.each([
    ["indented", lines.map((line) => `      ${line}`).join("\n")],
    ["on one line", lines.join(" ")],
    ["with escapes", lines.join("\\n")],
    ["with escapes in escapes", lines.join("\\\\r\\\\n")],
    ["with headers", lines.join("\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0F3D\n\n").slice(0, 400)],
    ["cut off", lines.slice(0, 3).join("\n")],
    ["of another kind", privateKey.replaceAll("PRIVATE", "OPENSSH PRIVATE")],
  ])("is masked %s", (_, text) => {
    const masked = maskSecrets(text);
    expect(masked).toHaveLength(text.length);
    expect(masked).toContain("*".repeat(60));
  });
});

describe("any text", () => {
  const piece = fc.constantFrom(
    ...[
      ...Object.values(tokens),
      privateKey,
      "sk-",
      "AKIA",
      "-----BEGIN PRIVATE KEY-----",
      "\\",
      "\\n",
      "\n",
    ],
    ...["\\u0041", "\\x", " ", "-", "a", "9", '"', "é"],
  );

  it("keeps its length and lines, is masked once, and hides what is found", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join("");
        const masked = maskSecrets(text);
        expect(masked).toHaveLength(text.length);
        expect(masked.replace(/[^\n]/g, "")).toBe(text.replace(/[^\n]/g, ""));
        expect(found(masked)).toEqual([]);
        expect(masked === text).toBe(found(text).length === 0);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it.each([
    "\\",
    "sk-",
    "sk-a",
    "a",
    "\\x",
    "-----BEGIN PRIVATE KEY-----",
    "xoxb-12345678-",
    "sk-ant-a",
    "\\\n ",
  ])("of many %j is read in one go", (unit) => {
    const text = `AKIA ${unit.repeat(100_000)}!`;
    expect(maskSecrets(text)).toHaveLength(text.length);
    const pem = `-----BEGIN PRIVATE KEY-----${unit.repeat(100_000)}!`;
    expect(maskSecrets(pem)).toHaveLength(pem.length);
  });

  it.runIf(isFull).each([
    ["escapes", "\\u0041".repeat(1_000_000)],
    ["a word", "aB3-".repeat(5_000_000)],
    ["the body of a key", `-----BEGIN PRIVATE KEY-----${" /+aB3dE5gH".repeat(2_000_000)}`],
    ["a key", `sk-proj-${"aB3-".repeat(8_000_000)}`],
  ])("of megabytes is searched to its end: %s", (_, start) => {
    expect(found(`${start} ${tokens.aws}`).at(-1)?.end).toBe(start.length + 1 + tokens.aws.length);
    const joined = `${"\\u0041".repeat(20_000)}-${tokens.aws}`;
    expect(found(joined).at(-1)?.end).toBe(joined.length);
  });
});
