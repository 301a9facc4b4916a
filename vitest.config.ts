import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

const tests = readdirSync("test", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => join("test", name).replaceAll("\\", "/"));
/** Where files share their modules, a module that one of them replaces would be replaced for those after it. */
const replacing = tests.filter((path) => readFileSync(path, "utf8").includes("vi.mock("));

/** `npm run test:full` asks for the mode "full". */
export default defineConfig(({ mode }) => {
  const isFull = mode === "full";
  // Node 20 loads the certificates that this names at every start. Only the full tests reach a network.
  if (!isFull) delete process.env["NODE_EXTRA_CA_CERTS"];
  const onlyFull = isFull ? [] : ["test/**/*.full.test.ts"];
  const settings = {
    setupFiles: ["test/fixed-seed.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Programs that tests start keep nothing in the cache folder of whoever runs them, and read nothing from it.
    env: { FULL: isFull ? "1" : "", PROMPTPACK_NO_CACHE: "1" },
    pool: "threads" as const,
  };
  const shared = {
    name: "shared modules",
    include: ["test/**/*.test.ts"],
    exclude: [...replacing, ...onlyFull],
    isolate: false,
  };
  const own = { name: "own modules", include: replacing, exclude: onlyFull };
  return {
    test: {
      maxWorkers: "100%",
      projects: [{ test: { ...settings, ...shared } }, { test: { ...settings, ...own } }],
    },
  };
});
