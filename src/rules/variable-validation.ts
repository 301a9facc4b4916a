import type { Finding } from "../diagnostic.js";
import { patternError } from "../pattern/pattern-error.js";
import { describeVariable, isEmptyRange, type Validation } from "../pack/variable.js";
import type { PackRule } from "./rule.js";

export const variableValidation: PackRule = {
  id: "variable-validation",
  subject: "pack",
  summary:
    "The validation of a variable can be met: its pattern compiles, and no minimum is above its maximum.",
  severity: "error",
  source: "RFC 0003, validation rules",
  *check({ clearPrompts }) {
    for (const { variables } of clearPrompts) {
      for (const variable of variables) {
        const { validation } = variable;
        if (validation === undefined) continue;
        for (const fault of faultsOf(validation, describeVariable(variable)))
          yield { at: validation.at, ...fault };
      }
    }
  },
};

function* faultsOf(validation: Validation, variable: string): Iterable<Omit<Finding, "at">> {
  const { pattern, minLength, maxLength, minimum, maximum } = validation;
  const fault = pattern === undefined ? undefined : patternError(pattern.text);
  if (fault !== undefined) {
    const reason = fault === "" ? "." : `: ${fault}.`;
    yield {
      wants: "a pattern",
      message: `The pattern of ${variable} is not a regular expression${reason}`,
    };
  }
  if (isEmptyRange(minLength, maxLength)) {
    yield {
      wants: "lengths",
      message: `No text can be valid for ${variable}: its "min_length" is ${minLength}, but its "max_length" is ${maxLength}.`,
    };
  }
  if (isEmptyRange(minimum, maximum)) {
    yield {
      wants: "numbers",
      message: `No number can be valid for ${variable}: its "minimum" is ${minimum}, but its "maximum" is ${maximum}.`,
    };
  }
}
