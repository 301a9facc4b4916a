import { schemaAtVersion } from "../../schema/schema-at-version.js";
import { resolveSpec, unknownVersionMessage } from "../../schema/spec-version.js";
import { formatJson } from "../../text/escape.js";
import { choiceHint } from "../../text/wording.js";
import { readPackageFile } from "../files/package-files.js";
import type { Io } from "../terminal/io.js";
import { UsageError } from "../terminal/messages.js";

const schemaFiles = new Map([
  ["pack", "promptpack.schema.json"],
  ["report", "report.schema.json"],
  ["config", "config.schema.json"],
  ["routes", "routes.schema.json"],
  ["agentic-event", "agentic-event.schema.json"],
  ["agentic-state", "agentic-state.schema.json"],
  ["run-record", "run-record.schema.json"],
  ["workflow-context", "workflow-context.schema.json"],
]);

export const schemaKinds: readonly string[] = [...schemaFiles.keys()];

interface SchemaFlags {
  readonly kind: string;
  readonly specVersion?: string;
}

export function printSchema(io: Io, { kind, specVersion }: SchemaFlags): number {
  const file = schemaFiles.get(kind);
  if (file === undefined) {
    throw new UsageError(`There is no schema of kind "${kind}".${choiceHint(kind, schemaKinds)}`);
  }
  const text = readPackageFile(`schema/${file}`);
  if (specVersion === undefined) io.stdout.write(text);
  else {
    if (kind !== "pack") throw new UsageError('"--spec-version" can only be used with the schema of packs.');
    const fault = unknownVersionMessage(specVersion);
    if (fault !== undefined) throw new UsageError(fault);
    const { version } = resolveSpec(undefined, specVersion);
    io.stdout.write(formatJson(schemaAtVersion(JSON.parse(text) as Record<string, unknown>, version), 2));
  }
  return 0;
}
