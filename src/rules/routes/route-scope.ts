import type { RoutesRule } from "../rule.js";

const overEverything: ReadonlySet<string> = new Set(["admin:*", "*"]);

export const routeScope: RoutesRule = {
  id: "route-scope",
  subject: "routes",
  summary: "The agent's token has neither the scope `*` nor `admin:*`.",
  severity: "error",
  source: "RFC-103, security and scope",
  *check({ scopes }) {
    for (const scope of scopes) {
      if (!overEverything.has(scope.text)) continue;
      yield { at: scope, message: `The agent's token must not have the scope "${scope.text}".` };
    }
  },
};
