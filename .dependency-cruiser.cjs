/** Which room may import which: the data walks from text to report and never turns round. */
const rooms = {
  diagnostic: { path: "^src/diagnostic\\.ts$", may: [] },
  words: { path: "^src/words/", may: ["diagnostic"] },
  text: { path: "^src/text/", may: ["diagnostic", "words"] },
  graph: { path: "^src/graph/", may: [] },
  pattern: { path: "^src/pattern/", may: [] },
  template: { path: "^src/template/", may: ["diagnostic"] },
  document: { path: "^src/document/", may: ["diagnostic", "words"] },
  schema: { path: "^src/schema/", may: ["document", "diagnostic", "words"] },
  pack: { path: "^src/pack/", may: ["document", "template", "pattern", "graph", "diagnostic", "words"] },
  machine: { path: "^src/machine/", may: ["pack", "graph", "diagnostic"] },
  simulate: {
    path: "^src/simulate/",
    may: ["pack", "machine", "template", "text", "document", "diagnostic", "words"],
  },
  routes: { path: "^src/routes/", may: ["document", "schema", "diagnostic", "words"] },
  agentic: { path: "^src/agentic/", may: ["routes", "document", "schema", "diagnostic", "words"] },
  replay: {
    path: "^src/replay/",
    may: ["pack", "machine", "simulate", "schema", "text", "document", "diagnostic", "words"],
  },
  step: {
    path: "^src/step/",
    may: ["pack", "machine", "simulate", "agentic", "routes", "text", "document", "diagnostic", "words"],
  },
  rules: {
    path: "^src/rules/",
    may: [
      "pack",
      "machine",
      "graph",
      "pattern",
      "schema",
      "document",
      "template",
      "agentic",
      "routes",
      "replay",
      "diagnostic",
      "words",
    ],
  },
  lint: {
    path: "^src/(lint|check-record|diagnose|diagnose-kind|in-order)\\.ts$",
    may: ["rules", "machine", "pack", "agentic", "routes", "replay", "document", "diagnostic", "words"],
  },
  suppress: { path: "^src/suppress/", may: ["rules", "lint", "document", "diagnostic", "words"] },
  fix: { path: "^src/fix/", may: ["document", "diagnostic", "words"] },
  judge: {
    path: "^src/judge\\.ts$",
    may: ["suppress", "lint", "routes", "document", "diagnostic"],
  },
  drawing: {
    path: "^src/drawing/",
    may: ["pack", "machine", "graph", "text", "document", "diagnostic", "words"],
  },
  inspect: {
    path: "^src/inspect/",
    may: ["pack", "machine", "graph", "text", "document", "diagnostic", "words"],
  },
  reporters: { path: "^src/reporters/", may: ["rules", "text", "document", "diagnostic", "words"] },
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
