import { otherSchemaFindings } from "../../schema/check-schema.js";
import { routesSchema } from "../../schema/other-schemas.js";
import type { RoutesRule } from "../rule.js";

export const routeSchema: RoutesRule = {
  id: "route-schema",
  subject: "routes",
  summary: "The configuration has the shape that RFC-103 states.",
  severity: "error",
  source: "RFC-103, required router configuration",
  *check({ document }) {
    if (document.root === undefined) return;
    yield* otherSchemaFindings(document.root, routesSchema(), document.text);
  },
};
