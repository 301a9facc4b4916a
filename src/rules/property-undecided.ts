import type { GraphRule } from "./rule.js";

export const propertyUndecided: GraphRule = {
  id: "property-undecided",
  subject: "graph",
  summary: "The properties that the config promises can be decided.",
  severity: "info",
  source: "promptpack, properties",
  needs: "properties",
  *check(workflow, facts, _pack, { judgeProperties }) {
    for (const { property, verdict } of judgeProperties?.(workflow, facts) ?? []) {
      if (verdict.kind !== "undecided") continue;
      const name = property.name.text;
      yield {
        at: workflow.at,
        message: `The workflow has too many runs to decide whether the property "${name}" holds.`,
        data: { property: name },
        related: [property.declaredAt],
      };
    }
  },
};
