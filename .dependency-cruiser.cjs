/** Which folder may import which: data flows one way, from text to report. Every folder may also import `text`. */
const rooms = {
  diagnostic: { path: "^src/diagnostic\\.ts$", may: [] },
  text: { path: "^src/text/", may: ["diagnostic"] },
  graph: { path: "^src/graph/", may: [] },
  pattern: { path: "^src/pattern/", may: [] },
  template: { path: "^src/template/", may: ["diagnostic"] },
  document: { path: "^src/document/", may: ["diagnostic"] },
  schema: { path: "^src/schema/", may: ["document", "diagnostic"] },
  composition: { path: "^src/composition/", may: ["schema", "document", "diagnostic"] },
  pack: {
    path: "^src/pack/",
    may: ["composition", "schema", "document", "template", "pattern", "graph", "diagnostic"],
  },
  sources: { path: "^src/sources/", may: ["schema", "document", "diagnostic"] },
  machine: { path: "^src/machine/", may: ["pack", "graph", "diagnostic"] },
  runtimes: { path: "^src/runtimes/", may: ["machine", "pack", "template", "document", "diagnostic"] },
  properties: { path: "^src/properties/", may: ["runtimes", "machine", "pack", "graph", "diagnostic"] },
  coverage: { path: "^src/coverage/", may: ["machine", "pack", "graph", "replay", "diagnostic"] },
  diff: {
    path: "^src/diff/",
    may: [
      "reporters",
      "drawing",
      "analysis",
      "rules",
      "machine",
      "composition",
      "pack",
      "graph",
      "schema",
      "template",
      "document",
      "diagnostic",
    ],
  },
  simulate: {
    path: "^src/simulate/",
    may: ["composition", "pack", "machine", "runtimes", "template", "document", "diagnostic"],
  },
  routes: { path: "^src/routes/", may: ["document", "diagnostic"] },
  agentic: { path: "^src/agentic/", may: ["routes", "document", "diagnostic"] },
  replay: {
    path: "^src/replay/",
    may: ["agentic", "routes", "pack", "machine", "runtimes", "simulate", "document", "diagnostic"],
  },
  step: {
    path: "^src/step/",
    may: ["agentic", "simulate", "pack", "machine", "routes", "schema", "document", "diagnostic"],
  },
  vectors: {
    path: "^src/vectors/",
    may: ["simulate", "runtimes", "machine", "pack", "schema", "document"],
  },
  rules: {
    path: "^src/rules/",
    may: [
      "sources",
      "composition",
      "pack",
      "machine",
      "properties",
      "pattern",
      "schema",
      "document",
      "template",
      "agentic",
      "routes",
      "replay",
      "runtimes",
      "diagnostic",
    ],
  },
  lint: { path: "^src/lint/", may: ["rules", "agentic", "replay", "document", "diagnostic"] },
  suppress: { path: "^src/suppress/", may: ["rules", "lint", "document", "diagnostic"] },
  analysis: {
    path: "^src/(analysis|project-findings)\\.ts$",
    may: [
      "sources",
      "suppress",
      "lint",
      "rules",
      "properties",
      "routes",
      "runtimes",
      "machine",
      "pack",
      "schema",
      "document",
      "diagnostic",
    ],
  },
  fix: {
    path: "^src/fix/",
    may: ["analysis", "suppress", "lint", "rules", "machine", "pack", "document", "diagnostic"],
  },
  library: {
    path: "^src/(index|lint-options)\\.ts$",
    may: ["analysis", "fix", "lint", "rules", "runtimes", "schema", "document", "diagnostic"],
  },
  drawing: { path: "^src/drawing/", may: ["composition", "pack", "machine", "document", "diagnostic"] },
  inspect: {
    path: "^src/inspect/",
    may: ["composition", "runtimes", "pack", "machine", "document", "diagnostic"],
  },
  language: {
    path: "^src/language/",
    may: ["inspect", "fix", "analysis", "pack", "machine", "schema", "document", "diagnostic"],
  },
  reporters: { path: "^src/reporters/", may: ["rules", "document", "diagnostic"] },
};

const forbidden = Object.entries(rooms).map(([name, { path, may }]) => ({
  name: `${name}-imports-only-its-own`,
  severity: "error",
  comment: `${name} may import ${["text", ...may].join(", ")}.`,
  from: { path },
  to: { path: "^src/", pathNot: [path, rooms.text.path, ...may.map((room) => rooms[room].path)] },
}));

/** The folders of the command, from the ground up: each may import those before it. */
const floors = [["terminal"], ["files"], ["config"], ["lint"], ["actions", "editor"], ["commands"]];

/** `run.ts` starts the command. */
const commandLine = `^src/cli/(run\\.ts$|(${floors.flat().join("|")})/)`;

const floorRules = floors.map((folders, height) => ({
  name: `cli-${folders.join("-and-")}-look-down-only`,
  severity: "error",
  from: { path: `^src/cli/(${folders.join("|")})/` },
  to: {
    path: "^src/cli/",
    pathNot: [`^src/cli/(${floors.slice(0, height).flat().join("|")})/`, "^src/cli/$1/"],
  },
}));

const editing = "(edit|edit-context|new-entry)\\.ts$";

/** The tree and its positions know no format; only `read.ts` and `read-lazily.ts` know them all. */
const documentRules = [
  { name: "document-tree-knows-no-format", from: "[^/]+\\.ts$", but: "read[^/]*\\.ts$", to: "(json|yaml)/" },
  { name: "document-json-reads-json-only", from: "json/", to: "yaml/" },
  { name: "document-yaml-reads-yaml-only", from: "yaml/", to: "json/" },
  { name: "document-reading-edits-nothing", from: "", but: editing, to: editing },
  // The parsers behind these are loaded only for a text that cannot be read.
  {
    name: "document-faults-load-lazily",
    from: "",
    but: "(read|read-lazily)\\.ts$",
    to: "yaml/yaml-faults\\.ts$",
  },
].map(({ name, from, but, to }) => ({
  name,
  severity: "error",
  from: { path: `^src/document/${from}`, ...(but && { pathNot: `^src/document/${but}` }) },
  to: { path: `^src/document/${to}` },
}));

module.exports = {
  forbidden: [
    ...forbidden,
    ...floorRules,
    ...documentRules,
    {
      name: "every-file-has-a-room",
      severity: "error",
      from: { path: "^src/", pathNot: [commandLine, ...Object.values(rooms).map(({ path }) => path)] },
      to: {},
    },
    { name: "no-circular", severity: "error", from: { path: "^src/" }, to: { circular: true } },
    {
      name: "nobody-imports-the-cli",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/cli/" },
      to: { path: "^src/cli/" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: [".ts", ".js"] },
  },
};
