import { readFileSync } from "node:fs";
import { join } from "node:path";
import { choiceHint } from "../../text/wording.js";
import { packageRoot } from "../files/paths.js";
import type { Io } from "../terminal/io.js";
import { UsageError } from "../terminal/messages.js";

const schemaFiles = new Map([
  ["pack", "promptpack-v1.4.schema.json"],
  ["report", "report.schema.json"],
  ["config", "config.schema.json"],
  ["routes", "routes.schema.json"],
  ["agentic-event", "agentic-event.schema.json"],
  ["agentic-state", "agentic-state.schema.json"],
  ["run-record", "run-record.schema.json"],
  ["workflow-context", "workflow-context.schema.json"],
]);

export const schemaKinds: readonly string[] = [...schemaFiles.keys()];

export function printSchema(io: Io, kind: string): number {
  const file = schemaFiles.get(kind);
  if (file === undefined) {
    throw new UsageError(`There is no schema of kind "${kind}".${choiceHint(kind, schemaKinds)}`);
  }
  io.stdout.write(readFileSync(join(packageRoot(), "schema", file), "utf8"));
  return 0;
}
