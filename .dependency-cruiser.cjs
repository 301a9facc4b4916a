/** Which room may import which: data flows one way, from text to report. */
const rooms = {
  diagnostic: { path: "^src/diagnostic\\.ts$", may: [] },
  words: { path: "^src/words/", may: [] },
  text: { path: "^src/text/", may: ["diagnostic", "words"] },
  graph: { path: "^src/graph/", may: [] },
  pattern: { path: "^src/pattern/", may: [] },
  template: { path: "^src/template/", may: ["diagnostic"] },
  document: { path: "^src/document/", may: ["diagnostic", "words"] },
  meant: { path: "^src/meant/", may: ["document", "diagnostic", "words"] },
  schema: { path: "^src/schema/", may: ["meant", "document", "diagnostic", "words"] },
  pack: { path: "^src/pack/", may: ["meant", "document", "template", "pattern", "diagnostic", "words"] },
  machine: { path: "^src/machine/", may: ["pack", "graph", "diagnostic"] },
  simulate: { path: "^src/simulate/", may: ["pack", "machine", "template", "text", "document", "words"] },
  routes: { path: "^src/routes/", may: ["document", "diagnostic", "words"] },
  agentic: { path: "^src/agentic/", may: ["routes", "document", "diagnostic", "words"] },
  replay: {
    path: "^src/replay/",
    may: ["pack", "machine", "simulate", "text", "document", "diagnostic", "words"],
  },
  step: { path: "^src/step/", may: ["machine", "routes", "document", "words"] },
  rules: {
    path: "^src/rules/",
    may: [
      "pack",
      "machine",
      "pattern",
      "schema",
      "meant",
      "document",
      "template",
      "agentic",
      "routes",
      "replay",
      "diagnostic",
      "words",
    ],
  },
  diagnose: {
    path: "^src/diagnose/",
    may: ["rules", "machine", "pack", "agentic", "routes", "replay", "document", "diagnostic", "words"],
  },
  suppress: { path: "^src/suppress/", may: ["rules", "diagnose", "document", "diagnostic", "words"] },
  judge: {
    path: "^src/judge\\.ts$",
    may: ["suppress", "diagnose", "routes", "document", "diagnostic"],
  },
  fix: { path: "^src/fix/", may: ["judge", "document", "diagnostic"] },
  library: {
    path: "^src/(index|lint-options)\\.ts$",
    may: ["judge", "fix", "diagnose", "rules", "pack", "document", "diagnostic", "words"],
  },
  drawing: {
    path: "^src/drawing/",
    may: ["pack", "machine", "text", "document", "diagnostic", "words"],
  },
  inspect: {
    path: "^src/inspect/",
    may: ["pack", "machine", "text", "document", "diagnostic", "words"],
  },
  reporters: { path: "^src/reporters/", may: ["rules", "text", "document", "diagnostic", "words"] },
};

/** The folders of the command, from the ground up: each may import those before it. */
const floors = [
  ["terminal"],
  ["files"],
  ["config"],
  ["search"],
  ["request"],
  ["report"],
  ["baseline", "watch"],
  ["lint", "open"],
  ["print", "init", "simulate", "replay", "step", "editor"],
  ["completion"],
  ["commands"],
];

/** What stands in none of them starts the command. */
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

/** Others import the tree, which knows no format; only what reads a text knows them all. */
const documentRules = [
  {
    name: "document-tree-knows-no-format",
    from: "[^/]+\\.ts$",
    but: "read[^/]*\\.ts$",
    to: "(json|yaml|faults|edit)/",
  },
  { name: "document-json-reads-json-only", from: "json/", to: "(yaml|faults|edit)/" },
  { name: "document-yaml-reads-yaml-only", from: "yaml/", to: "(json|faults|edit)/" },
  { name: "document-edit-reads-nothing", from: "edit/", to: "(json|yaml|faults)/" },
  { name: "document-faults-edit-nothing", from: "faults/", to: "edit/" },
].map(({ name, from, but, to }) => ({
  name,
  severity: "error",
  from: { path: `^src/document/${from}`, ...(but && { pathNot: `^src/document/${but}` }) },
  to: { path: `^src/document/${to}` },
}));

/** Anyone may use them: they know nothing of ours. */
const maps = "^src/maps/";

const forbidden = Object.entries({ ...rooms, maps: { path: maps, may: [] } }).map(
  ([name, { path, may }]) => ({
    name: `${name}-imports-only-its-own`,
    severity: "error",
    comment: `${name} may import ${may.length === 0 ? "nothing of ours" : may.join(", ")}.`,
    from: { path },
    to: { path: "^src/", pathNot: [path, maps, ...may.map((room) => rooms[room].path)] },
  }),
);

module.exports = {
  forbidden: [
    ...forbidden,
    ...floorRules,
    ...documentRules,
    {
      name: "every-file-has-a-room",
      severity: "error",
      from: { path: "^src/", pathNot: [commandLine, maps, ...Object.values(rooms).map(({ path }) => path)] },
      to: {},
    },
    { name: "no-circular", severity: "error", from: { path: "^src/" }, to: { circular: true } },
    {
      name: "only-the-check-retells",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/schema/(check-schema\\.ts$|retell/)" },
      to: { path: "^src/schema/retell/" },
    },
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
