import { placeOf } from "../../document/node.js";
import { nameAdvice } from "../../words/nearest-name.js";
import { Text } from "../../document/spelled-values.js";
import { otherSchemaFindings } from "../../schema/check-schema.js";
import { contextSchema, recordKinds, recordSchema } from "../../schema/other-schemas.js";
import type { RunRule } from "../rule.js";

export const runRecord: RunRule = {
  id: "run-record",
  subject: "run",
  summary: "Every part of a recorded run has the shape that its schema requires.",
  severity: "error",
  source: "RFC 0009, artifact lifecycle: capture",
  *check(replay) {
    const { root, text: source } = replay.ground.document;
    if (root?.kind === "mapping") yield* otherSchemaFindings(root, contextSchema(), source);
    for (const node of root?.kind === "sequence" ? root.items : []) {
      if (node.kind !== "mapping") continue;
      const kind = Text.of(node.get("record"));
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
};
