import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { expect } from "vitest";

/** Compares with what is committed; `npm run generate` writes it instead, to be read before it is committed. */
export function expectFile(path: string, content: string): void {
  if (process.env["UPDATE"] === "1") {
    if (!existsSync(path) || readFileSync(path, "utf8") !== content) writeFileSync(path, content);
    return;
  }
  expect(existsSync(path), `${path} is missing: run npm run generate, and read what it wrote`).toBe(true);
  expect(content).toBe(readFileSync(path, "utf8"));
}
