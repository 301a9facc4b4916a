// What only the checks and the full tests need is a package of its own, tools/, installed when somebody asks for it:
// `node scripts/tools.mjs` installs it, `node scripts/tools.mjs prettier --write .` runs one of its programs.
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
// On Windows, npm and the programs of packages are scripts of its shell.
const options = { cwd: root, stdio: "inherit", shell: process.platform === "win32" };

/** Installs the packages of a folder, unless they are there. */
export function installPackages(folder) {
  if (isInstalled(folder)) return;
  const { status } = spawnSync("npm", ["ci", "--prefix", folder, "--no-audit", "--no-fund"], options);
  if (status !== 0) throw new Error(`${folder}/ could not be installed`);
}

/** npm writes the second file last. */
function isInstalled(folder) {
  const [wanted, installed] = ["package-lock.json", "node_modules/.package-lock.json"].map(
    (name) => statSync(join(root, folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
  );
  return installed >= wanted;
}

/** The path of a program in tools/. */
export function toolPath(name) {
  return join("tools", "node_modules", ".bin", name);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  installPackages("tools");
  const [name, ...args] = process.argv.slice(2);
  if (name !== undefined) process.exitCode = spawnSync(toolPath(name), args, options).status ?? 1;
}
