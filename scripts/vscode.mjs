// Packs the extension for VS Code into editors/vscode/dist, or the file that is named. Needs `dist`; `npm run vscode` sees
// to that. What only the extension needs is a package of its own, installed when somebody asks for it.
import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { installPackages } from "./tools.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

installPackages("editors/vscode");
const { packExtension } = await import("../editors/vscode/build/pack-extension.mjs");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const file = resolve(
  process.argv[2] ?? join(root, "editors", "vscode", "dist", `promptpack-${version}.vsix`),
);
await packExtension(file);
console.log(`${file}  ${(statSync(file).size / 1e6).toFixed(1)} MB`);
