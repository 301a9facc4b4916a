import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The licences of the packages whose code reached a bundle. Paths in the outputs of esbuild are relative to `root`. */
export function bundledLicences(outputs, root, product) {
  const folders = new Set();
  for (const output of Object.values(outputs)) {
    for (const [input, { bytesInOutput }] of Object.entries(output.inputs)) {
      const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
      if (folder !== undefined && bytesInOutput > 0) folders.add(folder);
    }
  }
  const texts = [...folders].map((folder) => licenceOf(join(root, folder))).sort();
  return [`${product} bundles the following packages.\n`, ...texts].join(`\n${"-".repeat(78)}\n\n`);
}

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} ships no licence text.`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
}
