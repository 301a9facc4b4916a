// Builds the site into site/dist, or the folder that is named: `npm run site`. What only the site needs is a package of
// its own, installed when somebody asks for it.
import { resolve } from "node:path";
import process from "node:process";
import { generatePageScript } from "./generate-page-script.mjs";
import { generateSchemas } from "./generate-schemas.mjs";
import { installPackages } from "./tools.mjs";

installPackages("site");
generateSchemas();
await generatePageScript();
const { buildSite } = await import("../site/build/build-site.mjs");
const sizes = await buildSite(resolve(process.argv[2] ?? "site/dist"));

const kilobytes = (names) => {
  const bytes = names.reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0);
  return `${(bytes / 1024).toFixed(0)} kB`;
};
console.log(`${sizes.size} files, ${kilobytes([...sizes.keys()])}`);
console.log(
  `playground: ${kilobytes(["playground.html", "playground.js", "playground.css", "site.css", "site.js"])}`,
);
