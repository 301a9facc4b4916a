import { type Obstacle, obstaclesByTarget, verdictsOf } from "../machine/verdicts.js";
import { listNames } from "../text/wording.js";
import type { GraphRule } from "./rule.js";

export const unreachableState: GraphRule = {
  id: "unreachable-state",
  subject: "graph",
  summary: "Every state can be entered by some run.",
  severity: "warning",
  source: "RFC 0005, question 3; workflow guide, checklist",
  *check(workflow, facts) {
    const { unreachable } = verdictsOf(workflow, facts);
    if (unreachable.length === 0) return;
    const starts = listNames(workflow.roots.map(({ name }) => name.text));
    const obstacles = obstaclesByTarget(unreachable, workflow);
    for (const { name } of unreachable) {
      const obstacle = obstacles.get(name.text);
      const claim = `never enter "${name.text}": ${reasonText(obstacle)}.`;
      yield {
        at: name,
        message: `Runs from ${starts} ${claim}`,
        claim,
        advice:
          obstacle?.kind === "unguarded" && facts.reentered.has(obstacle.by.index)
            ? `Give "${obstacle.by.name.text}" a max_visits, or remove "${name.text}" and what names it.`
            : `Add an event that leads to it, or remove it${obstacle === undefined ? "" : " and what names it"}.`,
      };
    }
  },
};

/** Explains why a state that the file names is still unreachable. */
function reasonText(obstacle: Obstacle | undefined): string {
  switch (obstacle?.kind) {
    case undefined:
      return "nothing leads there";
    case "adrift":
      return "only states that no run enters lead there";
    case "terminal":
      return `"${obstacle.by.name.text}", which leads there, is terminal`;
    case "unguarded":
      return `"${obstacle.by.name.text}", which names it in on_max_visits, has no max_visits`;
    case "unspent":
      return `"${obstacle.by.name.text}" would redirect to it once spent, but no run gets that far`;
  }
}
