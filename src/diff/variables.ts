import { asMapping, LocatedBoolean, placeOf } from "../document/node.js";
import type { Prompt } from "../pack/prompt.js";
import { createChange, createJointChange } from "./catalogue.js";
import type { Change } from "./change.js";
import { compareConstraint, type ConstraintChange } from "./constraints.js";
import { compareMembers } from "./members.js";
import type { Values } from "./values.js";

type Variable = Prompt["variables"][number];

/** The variables that callers of a prompt give. */
export function compareVariables(before: Prompt, after: Prompt, values: Values): Iterable<Change> {
  return compareMembers(before.declared, after.declared, {
    title: (name) => `the variable "${name}" of prompt "${after.key.text}"`,
    added: (variable) => (mustBeGiven(variable) ? "variable-required" : "variable-added"),
    removed: "variable-removed",
    placeOf: ({ name, node }) => name ?? placeOf(node),
    compare: (old, variable, title) => compareVariable(title, old, variable, values),
  });
}

/** Unless it has a default, or the runtime gives it. */
function mustBeGiven({ required, default: value, node }: Variable): boolean {
  const isFilledIn = LocatedBoolean.of(asMapping(node.get("binding"))?.get("auto_populate"))?.value;
  return required?.value === true && value === undefined && isFilledIn !== true;
}

function* compareVariable(title: string, old: Variable, variable: Variable, values: Values) {
  const [hadToBeGiven, hasToBeGiven] = [mustBeGiven(old), mustBeGiven(variable)];
  const at = variable.required ?? variable.name ?? placeOf(variable.node);
  const became = old.required?.value === true ? "is no longer filled in" : "is required now";
  if (hasToBeGiven && !hadToBeGiven) yield createChange("variable-required", "new", at, `${title} ${became}`);
  if (hadToBeGiven && !hasToBeGiven)
    yield createChange("variable-widened", "new", at, `${title} may be left out now`);
  const rules = compareRules(old, variable, values);
  const narrower = rules.filter(({ isNarrower }) => isNarrower);
  yield* narrower.length > 0
    ? createJointChange("variable-narrowed", `${title} no longer accepts some values`, narrower)
    : createJointChange("variable-widened", `${title} accepts more values`, rules);
  const difference = values.difference("default", old.default, variable.default);
  if (hadToBeGiven !== hasToBeGiven || difference === undefined) return;
  const { side, at: place, predicate } = difference;
  yield createChange("variable-default-changed", side, place, `the default of ${title} ${predicate}`);
}

const validationKeywords = ["pattern", "min_length", "max_length", "minimum", "maximum", "enum"];

function compareRules(old: Variable, variable: Variable, values: Values): readonly ConstraintChange[] {
  const type = compareConstraint("type", old.type?.node, variable.type?.node, values);
  // The rules for a value of an unrelated type say nothing about this one.
  if (type !== undefined && type.isNarrower && type.isWider) return [type];
  const [before, after] = [old, variable].map(({ node }) => asMapping(node.get("validation")));
  const rules = validationKeywords.map((keyword) =>
    compareConstraint(keyword, before?.get(keyword), after?.get(keyword), values),
  );
  return [type, ...rules].flatMap((rule) => rule ?? []);
}
