import type { Finding } from "../diagnostic.js";
import { type Read, readsOf } from "../composition/reads.js";
import type { Composition } from "../composition/composition.js";
import type { LocatedString } from "../document/node.js";
import { type ForbiddenField, forbiddenField } from "../schema/schema-file.js";
import { createGuesser, nameAdvice, uniqueNearestName } from "../text/names.js";
import type { PackRule } from "./rule.js";
import { clearCompositions, readText } from "./shared/composition-findings.js";
import { replaceWordFix, type WithFix } from "./shared/fixes.js";
import { schemaFilesOf } from "./shared/schema-files.js";

export const unknownOutputField: PackRule = {
  id: "unknown-output-field",
  subject: "pack",
  summary: "A field that a reference reads is in the schema of the output or of the input.",
  severity: "warning",
  since: "1.5.0",
  section: "compositions",
  fix: "unsafe",
  source: "RFC 0010, references",
  needs: "files beside",
  *check(pack, context) {
    if (context.readFileBeside === undefined) return;
    const files = schemaFilesOf(pack, context);
    const guess = createGuesser();
    for (const composition of clearCompositions(pack))
      for (const read of readsOf(composition)) {
        const { schema, fields } = typeOf(read, composition);
        const root = fields.length === 0 || schema === undefined ? undefined : files.rootOf(schema.text);
        const forbidden = root && forbiddenField(root, fields);
        if (schema === undefined || forbidden === undefined) continue;
        const { position, known } = forbidden;
        const name = fields.slice(0, position + 1).join(".");
        yield {
          at: read.reference.at,
          message: `${readText(read)}, but "${schema.text}" has no property "${name}".`,
          advice: nameAdvice(fields[position] ?? "", known, guess),
          ...fixFor(read, fields, forbidden, pack.document),
        } satisfies Finding;
      }
  },
};

interface Typed {
  /** The path of the schema that describes the value. */
  readonly schema: LocatedString | undefined;
  /** The names that are read inside the value. */
  readonly fields: readonly string[];
}

function typeOf({ target }: Read, { inputSchema }: Composition): Typed {
  if (target.kind === "input") return { schema: inputSchema, fields: target.fields };
  if (target.kind === "output") return { schema: target.producer?.outputSchema, fields: target.fields };
  return { schema: undefined, fields: [] };
}

function fixFor(
  { reference: { source, start, text } }: Read,
  fields: readonly string[],
  { position, known }: ForbiddenField,
  document: Parameters<typeof replaceWordFix>[0],
): WithFix {
  const near = uniqueNearestName(fields[position] ?? "", known);
  if (near === undefined) return {};
  const end = source.text.indexOf(text, start + 2) + text.length;
  const behind = fields.slice(position).join(".").length;
  const part = { start: end - behind, end: end - behind + (fields[position] ?? "").length };
  return replaceWordFix(document, source, part, near);
}
