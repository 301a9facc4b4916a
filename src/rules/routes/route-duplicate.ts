import type { RoutesRule } from "../rule.js";

export const routeDuplicate: RoutesRule = {
  id: "route-duplicate",
  subject: "routes",
  summary: "Every request type has one pipeline.",
  severity: "error",
  source: "RFC-103, required router configuration",
  *check(file, routes) {
    for (const pipeline of file.pipelines) {
      if (pipeline.plugin === undefined || pipeline.on === undefined) continue;
      const [first] = routes.routesOf(pipeline.plugin);
      if (first === undefined || first === pipeline) continue;
      const elsewhere = first.file === file ? "" : ` in "${first.file.name}"`;
      yield {
        at: pipeline.on,
        message: `"${pipeline.on.text}" has another pipeline${elsewhere} already, so one request would be answered twice.`,
        ...(first.file === file && { related: [{ at: first.on ?? first.at, message: "the first one" }] }),
      };
    }
  },
};
