import { join, resolve } from "node:path";
import { AgenticLog } from "../../agentic/agentic-log.js";
import { readPluginState } from "../../agentic/loop-files.js";
import { machineIn, type RunnableAnalysis } from "../../analysis.js";
import type { Diagnostic } from "../../diagnostic.js";
import { checkDocument, checkLog, checkRun, checkState } from "../../lint/check-record.js";
import type { RunOptions } from "../../lint/run-rules.js";
import { replayLog } from "../../replay/replay-run.js";
import { logText } from "../../replay/replay-text.js";
import { Timeline } from "../../replay/timeline.js";
import type { FileReport } from "../../reporters/report.js";
import { loopSpec } from "../../routes/routes.js";
import type { Need } from "../../rules/rule.js";
import { silentRulesIn, suppress } from "../../suppress/suppress.js";
import { newestSpecVersion } from "../../text/tool-info.js";
import { type ReadingFlags, type ReportFlags } from "../config/flags.js";
import { readRuntime } from "../config/read-runtime.js";
import { type LintRequest, readLintRequest } from "../config/lint-request.js";
import { refuseToOverwriteInputs } from "../config/refuse-overwrite.js";
import { type Settings, SettingsResolver } from "../config/settings.js";
import {
  ConfigFindings,
  configSuppressor,
  reportStaleEntries,
  staleEntriesOf,
} from "../lint/config-findings.js";
import { applyQuiet, exitCodeOf, type LintedFile, writeReports } from "../lint/write-reports.js";
import { type Io, printMessage, UsageError } from "../terminal/io.js";
import { findingsOf, openWorkflow, warnAboutErrors, warnAboutVersion } from "./open-pack.js";
import {
  type OpenedFile,
  type OpenedRecord,
  openFile,
  openRecord,
  openRoutes,
  openTrace,
  openWorkspace,
} from "./replay-inputs.js";
import { parseError } from "../../rules/file-rules.js";

interface ReplayFlags extends ReportFlags, ReadingFlags {
  readonly pack?: string;
  readonly routes?: string;
  readonly state?: string;
  readonly workspace?: string;
  readonly budget: boolean;
}

type CheckedFile = FileReport & Pick<LintedFile, "settings" | "staleEntries">;

interface Replayed {
  readonly reports: readonly CheckedFile[];
  /** Shown above the report. */
  readonly text: string;
  readonly otherInputs: readonly string[];
}

export async function replayRecord(io: Io, path: string, flags: ReplayFlags): Promise<number> {
  const { runtime: _, ...reporting } = flags;
  const request = readLintRequest(reporting, io.cwd);
  if (path === "-" && flags.pack === "-")
    throw new UsageError(
      'Standard input is the record, so it cannot also be the pack: give "--pack" a file.',
    );
  const replay = new Replay(io, request, flags);
  const record = await openRecord(io, path, request.limits);
  return replay.report(
    await (record.kind === "events" ? replay.checkEvents(record) : replay.checkTransitions(record)),
  );
}

class Replay {
  constructor(
    private readonly io: Io,
    private readonly request: LintRequest,
    private readonly flags: ReplayFlags,
    private readonly settings = new SettingsResolver(io.cwd, request),
  ) {}

  async report({ reports: checked, text, otherInputs }: Replayed): Promise<number> {
    const { io, request } = this;
    const read = [...checked.map(({ file }) => file), ...otherInputs].map((file) => resolve(io.cwd, file));
    refuseToOverwriteInputs(io.cwd, request, read, this.settings);
    const configs = new ConfigFindings();
    reportStaleEntries(configs, checked, io.cwd);
    const reports = [...checked, ...configs.reports(io.cwd)];
    const isForPeople = request.formats.some(({ name, file }) => name === "pretty" && file === undefined);
    if (isForPeople) io.stdout.write(text);
    const problems = await writeReports(io, request, applyQuiet(request, reports));
    for (const problem of problems) printMessage(io, problem);
    return problems.length > 0 ? 2 : exitCodeOf(io, request, reports);
  }

  async checkEvents(record: OpenedRecord): Promise<Replayed> {
    const { io, flags } = this;
    const { file, document } = record;
    if (flags.pack === undefined && !flags.budget)
      throw new UsageError(
        `"${file}" is a log of RFC-103 events: "--no-budget" can only be used with a workflow, which "--pack" names.`,
      );
    if (flags.pack === undefined && flags.runtime !== undefined)
      throw new UsageError(
        `"${file}" is a log of RFC-103 events: "--runtime" can only be used with a workflow, which "--pack" names.`,
      );
    const { limits } = this.request;
    const routes = flags.routes === undefined ? undefined : await openRoutes(io, flags.routes, limits);
    const stateFile = flags.state === undefined ? undefined : await openFile(io.cwd, flags.state, limits);
    const state = stateFile === undefined ? undefined : readPluginState(stateFile.document);
    const workspace = flags.workspace === undefined ? undefined : openWorkspace(io.cwd, flags.workspace);
    const trace = workspace === undefined ? undefined : openTrace(io.cwd, workspace, limits);
    const log = new AgenticLog(document, { routes, state, workspace });
    const opened = flags.pack === undefined ? undefined : await this.openPack(flags.pack);
    const replays = opened && replayLog(log, replayedPack(opened, flags));
    const ofLog = await this.reportOf(record, (options) => checkLog(log, options, replays));
    const check = (options: RunOptions) => (state ? checkState(state, log, options, replays) : []);
    const ofState = stateFile && (await this.reportOf(stateFile, check));
    const timeline = replays && new Timeline(log, replays, ofLog.diagnostics, ofState?.diagnostics);
    const reports = (ofState === undefined ? [ofLog] : [ofLog, ofState]).map((file) => ({
      ...file,
      diagnostics: timeline === undefined ? file.diagnostics : file.diagnostics.map(timeline.explain),
    }));
    const text = `${logText(log, replays)}${timeline?.text(io.stdout.columns || 80) ?? ""}`;
    if (opened !== undefined) await this.warnAbout(opened);
    if (trace !== undefined)
      reports.push(await this.reportOf(trace, (options) => checkDocument(trace.document, options)));
    const otherInputs = [
      ...(opened === undefined ? [] : [opened.file]),
      ...(routes?.files.map(({ name }) => name) ?? []),
      ...(workspace === undefined ? [] : [join(workspace.name, "trace.jsonl")]),
    ];
    return { reports, text, otherInputs };
  }

  async checkTransitions(record: OpenedRecord): Promise<Replayed> {
    const { pack: path } = this.flags;
    const { file, document } = record;
    if (path === undefined)
      throw new UsageError(`"${file}" is the record of a workflow run: name its pack with "--pack <pack>".`);
    for (const name of ["routes", "state", "workspace"] as const)
      if (this.flags[name] !== undefined)
        throw new UsageError(
          `"${file}" is the record of a workflow run: "--${name}" can only be used with a log of RFC-103 events.`,
        );
    const opened = await this.openPack(path);
    let text = "";
    const kind = record.kind === "context" ? record.kind : "transitions";
    const run = { kind, document, ...replayedPack(opened, this.flags) } as const;
    const check = (options: RunOptions): readonly Diagnostic[] => {
      const checked = checkRun(run, options, this.io.stdout.columns || undefined);
      text = checked.text;
      return checked.diagnostics;
    };
    const report = await this.reportOf(record, check, newestSpecVersion);
    await this.warnAbout(opened);
    return { reports: [report], text, otherInputs: [opened.file] };
  }

  private openPack(path: string): Promise<RunnableAnalysis> {
    return openWorkflow(this.io, path, this.flags, "used to replay a run");
  }

  private async warnAbout(opened: RunnableAnalysis): Promise<void> {
    await warnAboutErrors(this.io, opened, findingsOf(this.io, opened, this.flags.config));
    warnAboutVersion(this.io, opened);
  }

  private async reportOf(
    { file, document }: OpenedFile,
    check: (options: RunOptions) => readonly Diagnostic[],
    specVersion = loopSpec,
  ): Promise<CheckedFile> {
    const settings: Settings = await this.settings.settingsFor(resolve(this.io.cwd, file));
    if (document.faults.length > 0 && settings.levels.get(parseError.id) === "off")
      throw new UsageError(
        `"${file}" cannot be parsed, and "parse-error", which would say why, is off: turn it on.`,
      );
    const found = check({ levels: settings.levels });
    const ignored = configSuppressor(settings.ignoredFindings);
    const { kept, suppressed } = suppress({ kept: found, suppressed: [] }, ignored);
    // Any finding, or a missing input, may hide what an entry of `ignore` suppresses.
    const silent =
      found.length > 0 || !this.flags.budget
        ? "all"
        : silentRulesIn(document, found, settings.levels, missingInputs(this.flags));
    const staleEntries = staleEntriesOf(document, settings.ignoredFindings, ignored, silent);
    const { lines } = document;
    return { file, specVersion, diagnostics: kept, suppressed, lines, settings, staleEntries };
  }
}

function replayedPack(opened: RunnableAnalysis, flags: ReplayFlags) {
  const { pack, workflow } = opened;
  const machine = machineIn(opened, readRuntime(flags));
  return { pack, workflow, machine, checksBudget: flags.budget };
}

function missingInputs({ pack, routes, state, workspace }: ReplayFlags): ReadonlySet<Need> {
  const lacking = new Set<Need>();
  if (pack === undefined) lacking.add("pack of the record");
  if (routes === undefined) lacking.add("routes of the record");
  if ((routes ?? state) === undefined) lacking.add("max steps");
  if (workspace === undefined) lacking.add("workspace");
  return lacking;
}
