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
      // In a file that is not reported, nobody would be told of the second one.
      const first = answering.find((each) => !each.file.isReported) ?? answering[0];
      if (first === undefined || first === pipeline) continue;
      yield {
        at: pipeline.on,
        message: `"${pipeline.on.text}" already has a pipeline, so each request would be answered twice.`,
        ...(first.file === file
          ? { related: [{ at: first.on ?? first.at, message: "the first one" }] }
          : { advice: `The other one is in "${first.file.name}".` }),
      };
    }
  },
};
