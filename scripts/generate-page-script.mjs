// Bundles the script of the page that `promptpack graph` draws, into a module that holds it as a string.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { browserSettings } from "./bundle-settings.mjs";

const folder = join(browserSettings.absWorkingDir, "src/drawing/generated");

export async function generatePageScript() {
  const { outputFiles } = await build({
    ...browserSettings,
    entryPoints: ["src/drawing/page/main.ts"],
    write: false,
  });
  const script = outputFiles[0].text.trim();
  // esbuild escapes the end of the element. Nothing else may look like markup, either.
  if (/<(?:\/?script|!--)/i.test(script)) throw new Error("The script of the page would end its element.");
  mkdirSync(folder, { recursive: true });
  write("page-script.js", `export const pageScript = ${JSON.stringify(script)};\n`);
  write("page-script.d.ts", "export declare const pageScript: string;\n");
}

/** What is written again looks new, and the build would make the declarations again. */
function write(name, text) {
  const path = join(folder, name);
  if (!existsSync(path) || readFileSync(path, "utf8") !== text) writeFileSync(path, text);
}
