import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/fixed-seed.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
