/** Builds the site: every page is plain HTML, and needs no server. The same sources give the same bytes. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import MiniSearch from "minisearch";
import { bundledLicences } from "../../scripts/licences.mjs";
import { bundleScripts, loadLibrary } from "./bundle.mjs";
import { layout } from "./layout.mjs";
import { searchEntries, SitePages } from "./pages.mjs";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const read = (path) => readFileSync(join(root, path), "utf8");
const list = (folder, pattern) =>
  readdirSync(join(root, folder))
    .filter((name) => pattern.test(name))
    .sort()
    .map((name) => (folder === "." ? name : `${folder}/${name}`));

/** Writes the site into a folder. Returns the size of each file. */
export async function buildSite(target, manifest = JSON.parse(read("package.json"))) {
  const files = await siteFiles(manifest);
  rmSync(target, { recursive: true, force: true });
  for (const [path, content] of files) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    writeFileSync(join(target, path), content);
  }
  return new Map([...files].map(([path, content]) => [path, Buffer.byteLength(content)]));
}

async function siteFiles({ homepage, repository, version }) {
  const { ruleGroups, looksLikePack, drawPack, joinFiles } = await loadLibrary();
  const examples = readExamples(joinFiles);
  const { scripts, outputs } = await bundleScripts(examples);
  const markdown = [".", "docs", "docs/rules"].flatMap((folder) => list(folder, /\.md$/));
  const pages = new SitePages({
    sources: new Map(markdown.map((path) => [path, read(path)])),
    ruleGroups,
    examples,
    isPack: looksLikePack,
    repository: webAddress(repository),
    framePolicy: framePolicy(await drawPack(examples[0].text, "html")),
  });
  const all = pages.all();
  const settings = { homepage: homepage?.replace(/[#?].*$/, "").replace(/\/$/, ""), version };
  return new Map([
    ...all.map((page) => [page.path, layout(page, settings)]),
    ...scripts,
    ...list("site/styles", /\.css$/).map((path) => [path.split("/").at(-1), read(path)]),
    ["favicon.svg", read("site/styles/favicon.svg")],
    ["pictures/first-example.svg", await drawPack(examples[0].text, "svg")],
    ...[...pages.pictures].sort().map((path) => [path.replace("docs/", ""), readFileSync(join(root, path))]),
    ["search-index.js", searchIndex(all)],
    ["third-party-licenses.txt", bundledLicences(outputs, root, "The site of promptpack")],
  ]);
}

/** The packs of the playground, and a project; their titles are their names. */
function readExamples(joinFiles) {
  const packs = ["examples", "site/examples"]
    .flatMap((folder) => list(folder, /\.pack\.(?:json|ya?ml)$/))
    .map((path) => ({ path, name: path.replace(/^.*\/|\.pack\..*$/g, ""), text: read(path) }));
  const folder = "site/examples/project";
  const files = [".", "prompts", "tools", "scenarios"]
    .flatMap((kind) => list(posix.join(folder, kind), /\.yaml$/))
    .map((path) => ({ name: path.slice(folder.length + 1), text: read(path) }));
  const project = { path: `${folder}/${files[0].name}`, name: "project", text: joinFiles(files) };
  return [...packs, project].map((example) => {
    const title = /^\s*"?name"?: *"?(.*?)"?,?$/m.exec(example.text)?.[1] ?? example.path;
    return { ...example, title };
  });
}

/** The drawing in the frame is held to the policy of its page, and to that of the playground. */
function framePolicy(drawing) {
  const [, script, style] = /script-src ('sha256-[^']+'); style-src ('sha256-[^']+')/.exec(drawing);
  return {
    "script-src": `'self' ${script}`,
    "style-src": `'self' ${style}`,
    "img-src": "'self' data:",
    "worker-src": "blob:",
  };
}

function searchIndex(pages) {
  const index = new MiniSearch(JSON.parse(read("site/client/search-options.json")));
  index.addAll(pages.flatMap(searchEntries));
  return `globalThis.searchIndex=${JSON.stringify(index)};\n`;
}

/** `git+https://example.org/a/b.git` as an address to read; undefined for any other kind. */
function webAddress(repository) {
  const address = typeof repository === "string" ? repository : repository?.url;
  return /^(?:git\+)?(https:\/\/.+?)(?:\.git)?$/.exec(address ?? "")?.[1];
}
