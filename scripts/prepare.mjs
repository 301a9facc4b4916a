// npm runs "prepare" when it packs the package from git. Usually it has installed our packages by then, and "postprepare" has
// built. Not for `npm install --global`, as pre-commit calls it: the setting also counts where npm installs what we need.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
if (!existsSync(join(root, "node_modules/esbuild"))) {
  const global = /^npm_config_(?:global|location|prefix|omit)$/iu;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !global.test(name)));
  const options = { cwd: root, env, stdio: "inherit", shell: process.platform === "win32" };
  const run = (command, ...args) => spawnSync(command, args, options).status === 0;
  const isBuilt =
    run("npm", "ci", "--include=dev", "--ignore-scripts", "--no-audit", "--no-fund") &&
    run("node", "scripts/build.mjs", "--quiet");
  if (!isBuilt) process.exitCode = 1;
}
