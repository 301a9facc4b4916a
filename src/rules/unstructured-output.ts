import type { PackRule } from "./rule.js";
import { readsIn, readText } from "./shared/composition-findings.js";

export const unstructuredOutput: PackRule = {
  id: "unstructured-output",
  subject: "pack",
  summary: "A step of which a field is read has an output schema.",
  severity: "warning",
  since: "1.5.0",
  section: "compositions",
  source: "RFC 0010, steps",
  *check(pack) {
    for (const read of readsIn(pack)) {
      const { target, reference } = read;
      if (target.kind !== "output" || target.fields.length === 0) continue;
      const { producer, fields } = target;
      if (producer === undefined || producer.outputSchema !== undefined) continue;
      if (producer.kind !== "prompt" && producer.kind !== "agent") continue;
      const whole = reference.path?.slice(0, -fields.length).join(".") ?? "";
      const name = producer.id.text;
      yield {
        at: reference.at,
        message: `${readText(read)}, but the output of "${name}" is text, which has no fields.`,
        advice: `Give "${name}" an "output_schema", or read "\${${whole}}".`,
      };
    }
  },
};
