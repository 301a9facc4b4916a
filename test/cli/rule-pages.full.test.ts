import { expect, it, vi } from "vitest";
import { folderOf, promptpack } from "./harness.js";
import { badEntry, clean } from "./packs.js";

vi.mock("../../package.json", () => ({
  default: { name: "promptpack", version: "1.2.3", homepage: "https://example.invalid/home/#readme" },
}));

it("every finding has the address of its rule's page where the package names its home", async () => {
  const entry = { file: "b.pack.yaml", rule: "schema", pointer: "/id" };
  const cwd = folderOf({
    "a.pack.json": badEntry,
    "b.pack.yaml": `# promptpack-disable dead-guard\n${clean}`,
    "known.json": JSON.stringify({ findings: [{ ...entry, fingerprint: "x" }] }),
    "promptpack.config.yaml": JSON.stringify({ ignore: [entry] }),
  });
  const { stdout } = await promptpack(["lint", "--baseline", "known.json", "-f", "json"], { cwd });
  const { files } = JSON.parse(stdout) as { files: { file: string; diagnostics: { docs: string }[] }[] };
  const pages = files.map(({ file, diagnostics }) => [file, ...diagnostics.map(({ docs }) => docs)]);
  expect(pages).toEqual([
    ["a.pack.json", "https://example.invalid/home/rules/unknown-entry.html"],
    ["b.pack.yaml", "https://example.invalid/home/rules/unused-suppression.html"],
    ["known.json", "https://example.invalid/home/rules/unused-suppression.html"],
    ["promptpack.config.yaml", "https://example.invalid/home/rules/unused-suppression.html"],
  ]);
});
