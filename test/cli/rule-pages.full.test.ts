import { readFileSync } from "node:fs";
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

const page = "https://example.invalid/home/rules/dead-guard.html";

interface Rule {
  readonly id: string;
  readonly helpUri: string;
  readonly help: { readonly markdown?: string };
}

it("SARIF, Markdown and the drawing link to the same page", async () => {
  const cwd = folderOf({ "a.pack.yaml": readFileSync("examples/codegen.pack.yaml", "utf8") });
  const sarif = await promptpack(["lint", "-f", "sarif"], { cwd });
  const [run] = (JSON.parse(sarif.stdout) as { runs: { tool: { driver: { rules: Rule[] } } }[] }).runs;
  const rule = run?.tool.driver.rules.find(({ id }) => id === "dead-guard");
  expect(rule?.helpUri).toBe(page);
  expect(rule?.help.markdown).toContain(
    "[unguarded-reentry](https://example.invalid/home/rules/unguarded-reentry.html)",
  );
  const markdown = await promptpack(["lint", "-f", "markdown"], { cwd });
  expect(markdown.stdout).toContain(`[\`dead-guard\`](<${page}>)`);
  const html = await promptpack(["graph", "a.pack.yaml", "-f", "html"], { cwd });
  expect(html.stdout).toContain(`"docs":"${page}"`);
  const json = await promptpack(["graph", "a.pack.yaml", "-f", "json"], { cwd });
  expect(json.stdout).not.toContain(page);
});
