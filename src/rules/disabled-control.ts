import type { PackRule } from "./rule.js";

export const disabledControl: PackRule = {
  id: "disabled-control",
  subject: "pack",
  summary: "The validators and evals that discharge an obligation are enabled.",
  severity: "warning",
  since: "1.8.0",
  source: "promptpack, governance",
  *check({ governance }) {
    const { objects, validators, evals } = governance;
    for (const { obligations } of objects)
      for (const { id, controls } of obligations)
        for (const { kind, name } of controls) {
          if (kind === "field") continue;
          const { byId, hasAll } = kind === "validator" ? validators : evals;
          const named = byId.get(name.text) ?? [];
          const [first] = named;
          if (first === undefined || !hasAll || named.some(({ isEnabled }) => isEnabled)) continue;
          yield {
            at: name,
            message: `Obligation "${id.text}" names the ${kind} "${name.text}", which is not enabled.`,
            advice: "Enable it, or name another control.",
            related: [{ at: first.at, message: "enabled: false is here" }],
          };
        }
  },
};
