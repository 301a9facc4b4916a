import { LocatedString, placeOf } from "../../document/node.js";
import { otherSchemaFindings } from "../../schema/check-schema.js";
import { contextSchema, recordKinds, recordSchema } from "../../schema/other-schemas.js";
import { nameAdvice } from "../../text/names.js";
import { walkedRules } from "../rule.js";

const rows = walkedRules("run", {
  "run-record": {
    summary: "Every part of a recorded run has the shape that its schema requires.",
    severity: "error",
    source: "RFC 0009, artifact lifecycle: capture",
    *check({ replay }) {
      const { root, text: source } = replay.target.document;
      if (root?.kind === "mapping") yield* otherSchemaFindings(root, contextSchema(), source);
      for (const node of root?.kind === "sequence" ? root.items : []) {
        if (node.kind !== "mapping") continue;
        const kind = LocatedString.of(node.get("record"));
        const schema = kind === undefined ? undefined : recordSchema(kind.text);
        if (schema !== undefined) yield* otherSchemaFindings(node, schema, source);
        else if (kind === undefined) {
          yield { at: placeOf(node), message: 'This line has no "record" to say what it is.' };
        } else {
          const advice = nameAdvice(kind.text, recordKinds());
          yield { at: kind, message: `"${kind.text}" is not a kind of record.`, advice };
        }
      }
    },
  },
  "run-pack": {
    summary: "The record was made with the pack that it is checked against.",
    severity: "warning",
    source: "RFC 0009, artifact lifecycle: capture",
  },
  "run-start": {
    summary: "A run starts once, in the entry of the workflow or in the state of an agent.",
    severity: "error",
    source: "RFC 0005, rule 1; RFC 0011",
  },
  "run-unknown-state": {
    summary: "Every state that a record names is a state of the workflow.",
    severity: "error",
    source: "RFC 0005, workflow states",
  },
  "run-gap": {
    summary: "Each transition leaves the state that the previous one entered.",
    severity: "error",
    source: "RFC 0009, artifact lifecycle: capture",
  },
  "run-unknown-event": {
    summary: "Each event exists in the state where it happened.",
    severity: "error",
    source: "RFC 0005, on_event",
  },
  "run-wrong-state": {
    summary: "Each event leads where the workflow says, forced exits included.",
    severity: "error",
    source: "RFC 0005, on_event; RFC 0009, on_max_visits",
  },
  "run-guard": {
    summary: "No state is entered more often than its `max_visits` allows.",
    severity: "error",
    source: "RFC 0009, max_visits",
  },
  "run-budget": {
    summary: "The run stays within the budget of its workflow.",
    severity: "error",
    source: "RFC 0009, engine.budget",
  },
  "run-after-end": {
    summary: "Nothing happens after the end of a run.",
    severity: "error",
    source: "RFC 0009, terminal",
  },
  "run-counts": {
    summary: "The counts in a record match the transitions it shows.",
    severity: "error",
    source: "RFC 0009, max_visits and engine.budget",
  },
  "run-end": {
    summary: "A record ends where its transitions lead, and its final status is correct.",
    severity: "error",
    source: "RFC 0009, terminal and max_visits",
  },
  "run-undeclared-artifact": {
    summary: "Every artifact of a record is declared by some state.",
    severity: "error",
    source: "RFC 0009, artifact lifecycle: declaration",
  },
  "run-artifact-change": {
    summary:
      "An artifact changes only in a state that declares it, and with the mode `append` it only grows.",
    severity: "error",
    source: "RFC 0009, artifact lifecycle: update",
  },
  "run-artifact-history": {
    summary: "Artifacts are captured at the transitions that the history shows.",
    severity: "error",
    source: "RFC 0009, artifact lifecycle: capture",
  },
  "run-time-order": {
    summary: "Time does not run backwards in a record.",
    severity: "error",
    source: "RFC 0009, artifact lifecycle: capture",
  },
  "run-incomplete": {
    summary: "A record has everything that is needed to check it.",
    severity: "info",
    source: "RFC 0009, engine.budget",
  },
});

/** Rules about recorded runs; all but the first replay the run once for all of them. */
export const runRules = rows.map((rule) => ({ ...rule, needs: "pack of the record" as const }));
