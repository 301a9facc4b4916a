import { asMapping, itemsOf, type MappingNode, stringOf } from "../document/node.js";
import { createChange, createJointChange } from "./catalogue.js";
import type { Change } from "./change.js";
import { byName, compareMembers } from "./members.js";
import type { Values } from "./values.js";

type Evals = ReadonlyMap<string, MappingNode>;

/** The evals of the pack or of a prompt; one that is disabled gives no results. */
export function compareEvals(before: MappingNode, after: MappingNode, values: Values): Iterable<Change> {
  const disabledBy = (node: MappingNode) => values.present(node.get("enabled"));
  const relevant = (evals: Evals, others: Evals): Evals =>
    new Map([...evals].filter(([id, node]) => others.has(id) || disabledBy(node) === undefined));
  const [olds, evals] = [evalsOf(before), evalsOf(after)];
  return compareMembers(relevant(olds, evals), relevant(evals, olds), {
    title: (id) => `eval "${id}"`,
    added: () => "eval-added",
    removed: "eval-removed",
    placeOf: (node) => node.get("id") ?? node,
    *compare(old, node, title) {
      const [was, is] = [disabledBy(old), disabledBy(node)];
      if (is !== undefined && was === undefined)
        yield createChange("eval-removed", "new", is, `${title} is disabled`);
      if (was !== undefined && is === undefined)
        yield createChange("eval-added", "new", node.get("id") ?? node, `${title} is enabled now`);
      if (was === undefined && is === undefined) yield* compareMetrics(title, old, node, values);
    },
  });
}

function evalsOf(node: MappingNode): Evals {
  const evals = itemsOf(node.get("evals")).flatMap((item) => asMapping(item) ?? []);
  const named = evals.filter((item) => stringOf(item.get("id")) !== undefined);
  return byName(named, (item) => stringOf(item.get("id")) ?? "");
}

function compareMetrics(title: string, before: MappingNode, after: MappingNode, values: Values) {
  const [old, metric] = [asMapping(before.get("metric")), asMapping(after.get("metric"))];
  if (old === undefined) return [];
  const [names, was, is] = metric ? [["name", "type", "range"], old, metric] : [["metric"], before, after];
  const differences = values.differences(names, was, is);
  return createJointChange("metric-changed", `${title} is measured differently`, differences);
}
