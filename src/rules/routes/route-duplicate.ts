import type { RoutesRule } from "../rule.js";

export const routeDuplicate: RoutesRule = {
  id: "route-duplicate",
  subject: "routes",
  summary: "Every request type has one pipeline.",
  severity: "error",
  source: "RFC-103, required router configuration",
  heldBackBy: ["route-wrong-plugin"],
  needs: "other routes",
  *check(file, routes) {
    const { misdirected } = routes;
    for (const pipeline of file.pipelines) {
      if (pipeline.plugin === undefined || pipeline.on === undefined || misdirected.has(pipeline)) continue;
      const answering = routes.routesOf(pipeline.plugin).filter((each) => !misdirected.has(each));
      // Each file tells of its own, so that the same is said whichever of them are linted.
      const first = answering.find((each) => each.file === file);
      const other = first === pipeline ? answering.find((each) => each.file !== file) : first;
      if (other === undefined) continue;
      yield {
        at: pipeline.on,
        message: `"${pipeline.on.text}" already has a pipeline, so each request would be answered twice.`,
        ...(other.file === file
          ? { related: [{ at: other.on ?? other.at, message: "the first one" }] }
          : { advice: `The other one is in "${other.file.name}".` }),
      };
    }
  },
};
