import { atomsOf, wantedValue } from "../composition/predicate.js";
import { placeOf } from "../document/node.js";
import { describeFound } from "../schema/show-value.js";
import { mustBe } from "../schema/value-messages.js";
import type { PackRule } from "./rule.js";

export const predicateValue: PackRule = {
  id: "predicate-value",
  subject: "pack",
  summary: "The value of a predicate has the type that its operator compares with.",
  severity: "error",
  since: "1.5.0",
  section: "compositions",
  source: "RFC 0010, predicates",
  *check({ compositions, document }) {
    for (const { allSteps } of compositions.values())
      for (const { predicate, isUnclear } of allSteps) {
        if (predicate === undefined || isUnclear) continue;
        for (const atom of atomsOf(predicate)) {
          const wanted = atom.kind === "compare" ? wantedValue(atom) : undefined;
          if (atom.kind !== "compare" || wanted === undefined) continue;
          const { op, value } = atom;
          const found = describeFound(value, document.text);
          yield { at: placeOf(value), wants: wanted, message: mustBe(`The value of "${op}"`, wanted, found) };
        }
      }
  },
};
