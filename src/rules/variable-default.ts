import { LocatedString, type Node, placeOf } from "../document/node.js";
import { referencedNames } from "../pack/template-text.js";
import { describeVariable, findViolations, type Violation } from "../pack/variable.js";
import { describeFound } from "../schema/show-value.js";
import { pluralize } from "../text/wording.js";
import type { PackRule } from "./rule.js";
import { nearestChoice } from "./shared/fixes.js";

const longestPatternShown = 60;
/** Steps of pattern matching per pack: far more than ordinary patterns need. */
const patternSteps = 5_000_000;

export const variableDefault: PackRule = {
  id: "variable-default",
  subject: "pack",
  summary:
    "The default and the example of a variable are values it accepts, and no required variable has a default.",
  severity: "warning",
  fix: "unsafe",
  source: "RFC 0003, validation rules",
  *check({ clearPrompts, delimiters, document }) {
    const budget = { steps: patternSteps };
    for (const variable of clearPrompts.flatMap(({ variables }) => variables)) {
      const name = describeVariable(variable);
      if (variable.required?.value === true && variable.default !== undefined) {
        yield {
          at: placeOf(variable.default),
          message: "A required variable never uses its default.",
          advice: `Remove the default of ${name}, or make it optional.`,
        };
      }
      for (const what of ["default", "example"] as const) {
        const value = variable[what];
        // A value with a reference is only known once it is rendered.
        if (
          value === undefined ||
          (delimiters !== undefined &&
            referencedNames(value, delimiters, ["name", "fragment", "artifact"]).size > 0)
        )
          continue;
        for (const fault of findViolations(variable, value, budget)) {
          const message = `The ${what} of ${name} is ${violationText(fault, value, document.text)}`;
          const text = LocatedString.of(value);
          yield {
            at: placeOf(value),
            message,
            ...(fault.kind === "enum" && text && nearestChoice(document, text, fault.allowed)),
          };
        }
      }
    }
  },
};

function violationText(fault: Violation, value: Node, source: string): string {
  const shown = describeFound(value, source);
  switch (fault.kind) {
    case "type":
      return `${shown}, but its type requires ${fault.expected}.`;
    case "enum":
      return `${shown}, which its "enum" does not list.`;
    case "pattern": {
      const pattern =
        fault.pattern.length > longestPatternShown ? "its pattern" : `the pattern "${fault.pattern}"`;
      return `${shown}, which does not match ${pattern}.`;
    }
    case "length":
      return `${pluralize(fault.length, "character")} long, but its "${fault.isMost ? "max_length" : "min_length"}" is ${fault.limit}.`;
    case "range":
      return `${shown}, ${fault.isMost ? "above" : "below"} its "${fault.isMost ? "maximum" : "minimum"}" of ${fault.limit}.`;
  }
}
