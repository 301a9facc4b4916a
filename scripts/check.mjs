// Everything that CI runs: `npm run check`, or `-- --no-tests` for all but the tests.
import { spawn, spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { installPackages, toolPath } from "./tools.mjs";

// On Windows, npm and the programs of packages are scripts of its shell.
const shell = process.platform === "win32";
const failed = [];

installPackages("tools");
installPackages("site");
installPackages("editors/vscode");
announce("build");
// The types of the generated code are needed below.
if (spawnSync("node", ["scripts/build.mjs"], { stdio: "inherit" }).status !== 0) failed.push("build");

/** The longest first: as many run side by side as there are processors. */
const checks = [
  ["lint", toolPath("eslint"), ["--max-warnings", "0", "."]],
  ["formatting", toolPath("prettier"), ["--check", "--log-level", "warn", "."]],
  ["types", join("node_modules", ".bin", "tsc"), ["-p", "."]],
  ["types of the page", join("node_modules", ".bin", "tsc"), ["-p", "src/drawing/page"]],
  ["types of the site", join("node_modules", ".bin", "tsc"), ["-p", "site"]],
  ["types of the extension", join("node_modules", ".bin", "tsc"), ["-p", "editors/vscode"]],
  ["import directions", toolPath("depcruise"), ["src", "--config", ".dependency-cruiser.cjs"]],
  ["unused code", toolPath("knip"), []],
];
const waiting = [...checks];
await Promise.all(Array.from({ length: availableParallelism() }, work));

if (!process.argv.includes("--no-tests")) {
  announce("tests and documentation");
  if (spawnSync("npm", ["run", "test:full"], { stdio: "inherit", shell }).status !== 0) failed.push("tests");
}

if (failed.length > 0) {
  console.error(`\nFailed: ${failed.join(", ")}`);
  process.exitCode = 1;
} else {
  console.log("\nAll checks passed.");
}

function announce(name) {
  console.log(`\n── ${name}`);
}

async function work() {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [name, command, args] = next;
    const { succeeded, output } = await run(command, args);
    announce(name);
    process.stdout.write(output);
    if (!succeeded) failed.push(name);
  }
}

/** What it says is kept until it is done, so that no two checks talk at once. */
function run(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], shell });
    const output = [];
    child.stdout.on("data", (data) => output.push(data));
    child.stderr.on("data", (data) => output.push(data));
    child.on("error", (error) => resolve({ succeeded: false, output: `${error.message}\n` }));
    child.on("close", (code) => resolve({ succeeded: code === 0, output: Buffer.concat(output) }));
  });
}
