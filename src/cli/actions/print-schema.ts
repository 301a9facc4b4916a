import { schemaAtVersion } from "../../schema/schema-at-version.js";
import { resolveSpec, unknownVersionMessage } from "../../schema/spec-version.js";
import { formatJson } from "../../text/escape.js";
import { choiceHint } from "../../text/wording.js";
import { readPackageFile } from "../files/package-files.js";
import type { Io } from "../terminal/io.js";
import { UsageError } from "../terminal/messages.js";

export const schemaKinds: readonly string[] = [
  "pack",
  "report",
  "config",
  "routes",
  "agentic-event",
  "agentic-state",
  "run-record",
  "workflow-context",
];

export function printSchema(io: Io, { kind, specVersion }: { kind: string; specVersion?: string }): number {
  if (!schemaKinds.includes(kind))
    throw new UsageError(`There is no schema of kind "${kind}".${choiceHint(kind, schemaKinds)}`);
  const text = readPackageFile(`schema/${kind === "pack" ? "promptpack" : kind}.schema.json`);
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
