import { defaultLimits } from "../../src/document/file-format.js";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { AgenticLog } from "../../src/agentic/agentic-log.js";
import { readPluginState, type Workspace } from "../../src/agentic/loop-files.js";
import { ConfigFindings, reportUnknownNames } from "../../src/cli/lint/config-findings.js";
import { readConfig } from "../../src/cli/config/load-config.js";
import { Analysis } from "../../src/analysis.js";
import { checkLog, checkRun, checkState } from "../../src/lint/check-record.js";
import type { RunOptions } from "../../src/lint/run-rules.js";
import type { Diagnostic, Severity } from "../../src/diagnostic.js";
import { readJsonLines } from "../../src/document/json/read-json.js";
import { readDocument } from "../../src/document/read.js";
import { lint } from "../../src/index.js";
import { buildMachine } from "../../src/machine/machine.js";
import { newestSpecVersion } from "../../src/text/tool-info.js";
import { joinRoutes, loopSpec, readRoutes, type Routes } from "../../src/routes/routes.js";
import { targetOf } from "../../src/runtimes/index.js";
import type { Rule } from "../../src/rules/rule.js";
import { workflowOf } from "../simulate/open-text.js";

export interface Example {
  /** Its extension determines the format. */
  readonly file: string;
  readonly source: string | Uint8Array;
  /** The subject of its rule; the extension alone does not distinguish the kinds of JSON. */
  readonly subject: Rule["subject"];
  readonly fileExists?: (path: string) => boolean;
  readonly readFileBeside?: (path: string) => string | undefined;
  /** The text of the routes that a log took. */
  readonly routes?: string | undefined;
  readonly workspace?: Workspace | undefined;
  /** The text of the log that a state is compared with. */
  readonly log?: string | undefined;
  /** The text of the pack that a recorded run is checked against. */
  readonly pack?: string | undefined;
  /** The text of the config whose properties count. */
  readonly config?: string | undefined;
}

export interface Examined {
  readonly specVersion: string;
  readonly diagnostics: readonly Diagnostic[];
  /** The text before the findings. */
  readonly text?: string;
  /** The text of the file that the findings are in, if that is the config. */
  readonly config?: string;
}

/** Lints an example; `levels` overrides the severities of rules. */
export function examine(example: Example, levels: Readonly<Record<string, Severity | "off">> = {}): Examined {
  const { file, source, subject, routes, workspace } = example;
  const options = { levels: new Map(Object.entries(levels)) };
  if (subject === "run") return { specVersion: newestSpecVersion, ...examineRun(example, options) };
  if (file.endsWith(".jsonl")) {
    const document = readJsonLines(source, defaultLimits);
    const log = new AgenticLog(document, { routes: routesOf(routes), workspace });
    return { specVersion: loopSpec, diagnostics: checkLog(log, options) };
  }
  if (subject === "agentic-state") {
    const state = readPluginState(readDocument(source, "json"));
    const log = example.log && new AgenticLog(readJsonLines(example.log, defaultLimits), { state });
    return { specVersion: loopSpec, diagnostics: checkState(state, log || undefined, options) };
  }
  const { fileExists, readFileBeside } = example;
  if (example.config !== undefined) return examineProperties(example, example.config, options);
  return lint(source, {
    file,
    rules: levels,
    ...(subject === "routes" && { kind: "routes" }),
    fileExists,
    readFileBeside,
  });
}

/** Judges the properties of a config; findings in the config itself are those of a rule about linting. */
function examineProperties({ file, source, subject }: Example, text: string, options: RunOptions): Examined {
  const config = readConfig("/promptpack.config.yaml", "promptpack.config.yaml", readDocument(text, "yaml"));
  const { properties } = config;
  const { specVersion, kept, propertyNames } = new Analysis(file, readDocument(source, "yaml")).lint({
    ...options,
    properties,
    target: targetOf(config),
  });
  if (subject !== "linting") return { specVersion, diagnostics: kept };
  const levels = options.levels ?? new Map();
  const target = targetOf(config);
  const settings = {
    path: file,
    config,
    levels,
    ignoredBy: undefined,
    ignoredFindings: [],
    properties,
    target,
  };
  const findings = new ConfigFindings();
  reportUnknownNames(findings, [{ file, settings, propertyNames }], () => true);
  return { specVersion, diagnostics: [...findings.values()].flat(), config: text };
}

function examineRun({ file, source, pack: text = "" }: Example, options: RunOptions) {
  const { pack, workflow } = workflowOf(text);
  const isLines = file.endsWith(".jsonl");
  const document = isLines ? readJsonLines(source, defaultLimits) : readDocument(source, "json");
  const kind = isLines ? "transitions" : "context";
  const machine = buildMachine(workflow);
  return checkRun({ kind, document, pack, workflow, machine, checksBudget: true }, options);
}

/** The files beside a fixture of a rule: `<fixture>.config.yaml` for packs, `routes.yaml` and `workspace/` for logs, `events.jsonl` for states,
 * `pack.yaml` for runs. */
export function besideFixtures(
  folder: string,
  fixture: string,
): Pick<Example, "routes" | "workspace" | "fileExists" | "readFileBeside" | "log" | "pack" | "config"> {
  const routes = join(folder, "routes.yaml");
  const workspace = join(folder, "workspace");
  const log = join(folder, "events.jsonl");
  const pack = join(folder, "pack.yaml");
  const config = join(folder, fixture.replace(/\.\w+$/, ".config.yaml"));
  return {
    fileExists: (path) => existsSync(join(folder, path)),
    readFileBeside: (path) =>
      kindAt(join(folder, path)) === "file" ? readFileSync(join(folder, path), "utf8") : undefined,
    routes: existsSync(routes) ? readFileSync(routes, "utf8") : undefined,
    log: existsSync(log) ? readFileSync(log, "utf8") : undefined,
    config: existsSync(config) ? readFileSync(config, "utf8") : undefined,
    pack: existsSync(pack) ? readFileSync(pack, "utf8") : undefined,
    workspace: existsSync(workspace)
      ? { name: "workspace", kindOf: (path) => kindAt(join(workspace, path)) }
      : undefined,
  };
}

function kindAt(path: string): "file" | "folder" | undefined {
  if (!existsSync(path)) return undefined;
  return statSync(path).isDirectory() ? "folder" : "file";
}

function routesOf(text: string | undefined): Routes | undefined {
  return text === undefined ? undefined : joinRoutes([readRoutes("routes.yaml", readDocument(text, "yaml"))]);
}
