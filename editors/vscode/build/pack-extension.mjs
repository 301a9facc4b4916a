/** Packs the extension with its server. The same sources give the same bytes. */
import { createWriteStream, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
// The library that VS Code's own packer, @vscode/vsce, writes archives with. The packer has 285 packages, most to publish.
import { ZipFile } from "yazl";
import { settings } from "../../../scripts/bundle-settings.mjs";
import { bundledLicences } from "../../../scripts/licences.mjs";

const folder = dirname(dirname(fileURLToPath(import.meta.url)));
const root = dirname(dirname(folder));
const read = (...path) => readFileSync(join(...path), "utf8");

/** Writes a `.vsix`. */
export async function packExtension(target) {
  const archive = new ZipFile();
  // The format has no time zone: this is the earliest time that it knows, wherever it is written.
  const options = { mtime: new Date(1980, 0, 1), mode: 0o100644, forceDosTimestamp: true };
  for (const [path, content] of await archiveFiles()) archive.addBuffer(Buffer.from(content), path, options);
  archive.end();
  mkdirSync(dirname(target), { recursive: true });
  await pipeline(archive.outputStream, createWriteStream(target));
}

async function archiveFiles() {
  const program = JSON.parse(read(root, "package.json"));
  const manifest = extensionManifest(program);
  const { code, licences } = await bundleExtension();
  const files = new Map([
    ["package.json", `${JSON.stringify(manifest, null, 2)}\n`],
    ["README.md", read(folder, "README.md")],
    ["LICENSE.txt", read(root, "LICENSE")],
    ["THIRD-PARTY-LICENSES.txt", licences],
    ["extension.js", code],
    ...serverFiles(program),
  ]);
  return new Map([
    ["extension.vsixmanifest", vsixManifest(manifest)],
    ["[Content_Types].xml", contentTypes([...files.keys()])],
    ...[...files].map(([path, content]) => [`extension/${path}`, content]),
  ]);
}

/** With the version of promptpack and the bundle, and without what only this folder needs. */
function extensionManifest({ version }) {
  const manifest = JSON.parse(read(folder, "package.json"));
  delete manifest.private;
  delete manifest.devDependencies;
  return { ...manifest, version, main: "./extension.js" };
}

async function bundleExtension() {
  const { outputFiles, metafile } = await build({
    ...settings,
    entryPoints: ["editors/vscode/src/extension.ts"],
    outfile: "extension.js",
    format: "cjs",
    external: ["vscode"],
    write: false,
  });
  const licences = bundledLicences(metafile.outputs, root, "The extension");
  return { code: outputFiles[0].contents, licences };
}

/** The program, and the files that it reads. It compiles itself with the examples. */
function* serverFiles({ name, version, license }) {
  yield ["server/package.json", `${JSON.stringify({ name, version, license, type: "module" }, null, 2)}\n`];
  const program = ["load", "program", "protocol"].map((name) => `dist/${name}.cjs`);
  const single = ["bin/promptpack.js", "bin/package.json", ...program, "dist/THIRD-PARTY-LICENSES.txt"];
  const whole = ["dist/examples", "docs/rules", "schema"];
  const listed = whole.flatMap((path) => readdirSync(join(root, path)).map((name) => `${path}/${name}`));
  for (const path of [...single, ...listed.sort()]) yield [`server/${path}`, readFileSync(join(root, path))];
}

function vsixManifest(manifest) {
  const { name, displayName, description, version, publisher, categories, keywords, engines } = manifest;
  const property = (id, value) =>
    `      <Property Id="Microsoft.VisualStudio.${id}" Value="${escapeXml(value)}" />`;
  const asset = (type, path) =>
    `    <Asset Type="Microsoft.VisualStudio.${type}" Path="extension/${path}" Addressable="true" />`;
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${name}" Version="${version}" Publisher="${publisher}" />
    <DisplayName>${escapeXml(displayName)}</DisplayName>
    <Description xml:space="preserve">${escapeXml(description)}</Description>
    <Tags>${escapeXml(keywords.join(","))}</Tags>
    <Categories>${escapeXml(categories.join(","))}</Categories>
    <GalleryFlags>Public</GalleryFlags>
    <Properties>
${property("Code.Engine", engines.vscode)}
${property("Code.ExtensionKind", manifest.extensionKind.join(","))}
    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code" />
  </Installation>
  <Dependencies />
  <Assets>
${asset("Code.Manifest", "package.json")}
${asset("Services.Content.Details", "README.md")}
${asset("Services.Content.License", "LICENSE.txt")}
  </Assets>
</PackageManifest>
`;
}

const mediaTypes = {
  cjs: "application/javascript",
  js: "application/javascript",
  json: "application/json",
  md: "text/markdown",
  txt: "text/plain",
  vsixmanifest: "text/xml",
  yaml: "text/yaml",
};

function contentTypes(paths) {
  const used = new Set(paths.map((path) => path.split(".").at(-1)));
  const extensions = [...used, "vsixmanifest"].sort();
  const entries = extensions.map((extension) => {
    const type = mediaTypes[extension];
    if (type === undefined) throw new Error(`What kind of file is .${extension}?`);
    return `  <Default Extension=".${extension}" ContentType="${type}" />\n`;
  });
  return `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
${entries.join("")}</Types>
`;
}

function escapeXml(text) {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
