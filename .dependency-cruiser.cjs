/** Which room may import which: the data walks from text to report and never turns round. */
const rooms = {
  diagnostic: { path: "^src/diagnostic\\.ts$", may: [] },
  words: { path: "^src/(wording|nearest-name|tool|instant)\\.ts$", may: [] },
  document: { path: "^src/document/", may: ["diagnostic"] },
  schema: { path: "^src/schema/", may: ["document", "diagnostic", "words"] },
  graph: { path: "^src/graph/", may: [] },
  template: { path: "^src/template/", may: ["diagnostic"] },
  pack: { path: "^src/pack/", may: ["document", "template", "graph", "diagnostic", "words"] },
  machine: { path: "^src/machine/", may: ["pack", "graph", "diagnostic"] },
  routes: { path: "^src/routes/", may: ["pack", "document", "diagnostic"] },
  agentic: { path: "^src/agentic/", may: ["routes", "pack", "document", "diagnostic"] },
  step: { path: "^src/step/", may: ["machine", "pack", "document", "diagnostic", "words"] },
  rules: {
    path: "^src/rules/",
    may: [
      "agentic",
      "routes",
      "pack",
      "machine",
      "graph",
      "schema",
      "document",
      "template",
      "diagnostic",
      "words",
    ],
  },
  lint: {
    path: "^src/(lint|diagnose)\\.ts$",
    may: ["agentic", "routes", "rules", "machine", "pack", "document", "schema", "diagnostic", "words"],
  },
  suppress: { path: "^src/suppress/", may: ["rules", "lint", "document", "diagnostic", "words"] },
  drawing: { path: "^src/drawing/", may: ["pack", "machine", "graph", "document", "diagnostic", "words"] },
  inspect: { path: "^src/inspect/", may: ["pack", "machine", "graph", "document", "diagnostic", "words"] },
  simulate: {
    path: "^src/simulate/",
    may: ["pack", "machine", "template", "document", "diagnostic", "words"],
  },
  replay: {
    path: "^src/replay/",
    may: ["lint", "pack", "machine", "simulate", "schema", "rules", "document", "diagnostic", "words"],
  },
  fix: { path: "^src/fix/", may: ["lint", "suppress", "rules", "document", "diagnostic", "words"] },
  reporters: { path: "^src/reporters/", may: ["rules", "document", "diagnostic", "words"] },
};

const forbidden = Object.entries(rooms).map(([name, { path, may }]) => ({
  name: `${name}-imports-only-its-own`,
  severity: "error",
  comment: `${name} may import ${may.length === 0 ? "nothing of ours" : may.join(", ")}.`,
  from: { path },
  to: { path: "^src/", pathNot: [path, ...may.map((room) => rooms[room].path)] },
}));

module.exports = {
  forbidden: [
    ...forbidden,
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
