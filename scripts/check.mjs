// Everything a contributor runs and everything CI runs: `npm run check`, or `-- --no-tests` for all but the tests.
import { spawnSync } from "node:child_process";

const withTests = !process.argv.includes("--no-tests");

const steps = [
  ["build", "node", ["scripts/build.mjs"]],
  ["formatting", "npx", ["prettier", "--check", "--log-level", "warn", "."]],
  ["types", "npx", ["tsc", "-p", "."]],
  ["lint", "npx", ["eslint", "--max-warnings", "0", "."]],
  ["import directions", "npx", ["depcruise", "src", "--config", ".dependency-cruiser.cjs"]],
  ["unused code", "npx", ["knip"]],
  ...(withTests ? [["tests and documentation", "npm", ["run", "test:full"]]] : []),
];

const failed = [];
for (const [name, command, args] of steps) {
  console.log(`\n── ${name}`);
  // On Windows, npx and npm are scripts of its shell.
  const { status } = spawnSync(command, args, { stdio: "inherit", shell: process.platform === "win32" });
  if (status !== 0) failed.push(name);
}
if (failed.length > 0) {
  console.error(`\nFailed: ${failed.join(", ")}`);
  process.exitCode = 1;
} else {
  console.log("\nAll checks passed.");
}
