import { otherSchemaFindings } from "../../schema/check-schema.js";
import { routesSchema } from "../../schema/other-schemas.js";
import type { RoutesRule } from "../rule.js";

export const routeSchema: RoutesRule = {
  id: "route-schema",
  subject: "routes",
  summary: "The configuration has the shape that RFC-103 states.",
  severity: "error",
  source: "RFC-103, required router configuration",
  *check({ document, misspelt }) {
    for (const { at, meant } of misspelt) {
      yield {
        at,
        message: `Nothing in RFC-103 is called "${at.text}".`,
        advice: `Did you mean "${meant}"?`,
      };
    }
    if (document.root === undefined) return;
    yield* otherSchemaFindings(document.root, routesSchema(), document.text);
  },
};
