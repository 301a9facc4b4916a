import { type Diagnostic, type Fix, severities } from "../../../src/diagnostic.js";
import { draw } from "../../../src/drawing/draw.js";
import { pathsToPlay } from "../../../src/coverage/paths.js";
import { isProved } from "../../../src/fix/apply-edits.js";
import { proveFixes } from "../../../src/fix/proved-fixes.js";
import { escapeInvisible } from "../../../src/text/escape.js";
import { traceLines } from "../../../src/text/format-trace.js";
import { splitFiles } from "../files.js";
import { analyze, lintAnalysis, missingFiles, proverFor, runsOf } from "./analyze.js";
import type {
  DrawingView,
  FindingView,
  FixView,
  LintView,
  ProofInput,
  Request,
  Response,
  TaskName,
  Tasks,
} from "./protocol.js";
import { simulate } from "./simulate.js";

/** A list of thousands would slow the page down. */
const maxFindings = 300;

/** Remembers the result for the last text, since each text is linted, drawn and simulated. */
function forLastText<Result>(compute: (text: string) => Result): (text: string) => Result {
  let last: { readonly text: string; readonly result: Result } | undefined;
  return (text) => (last?.text === text ? last : (last = { text, result: compute(text) })).result;
}

const analyzed = forLastText(analyze);
const linted = forLastText((text) => lintAnalysis(analyzed(text)));

const tasks: { readonly [Name in TaskName]: (input: Tasks[Name]["input"]) => Answer<Tasks[Name]["output"]> } =
  {
    lint: lintText,
    prove: proveText,
    draw: drawText,
    simulate: (input) => {
      const runs = runsOf(analyzed(input.text));
      return "missing" in runs ? runs : simulate(runs, input);
    },
  };

type Answer<Output> = Output | Promise<Output>;

/** Those that are listed. */
function listedFindings(text: string): readonly Diagnostic[] {
  const rank = ({ severity }: Diagnostic): number => severities.indexOf(severity);
  return [...linted(text).kept].sort((a, b) => rank(a) - rank(b)).slice(0, maxFindings);
}

function lintText(text: string): LintView {
  const { specVersion, kept: diagnostics } = linted(text);
  const countOf = (severity: string): number =>
    diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
  const [error, warning, info] = severities.map(countOf);
  return {
    specVersion,
    findings: listedFindings(text).map((finding) => findingView(finding, text)),
    counts: { error: error ?? 0, warning: warning ?? 0, info: info ?? 0 },
    missing: missingFiles(analyzed(text)),
  };
}

function proveText({ text, number }: ProofInput): readonly FixView[] {
  const analysis = analyzed(text);
  const finding = listedFindings(text).slice(number, number + 1);
  const proved = proveFixes(analysis, linted(text), finding, proverFor(analysis));
  return proved.flat().map(({ fix }) => fixView(fix, text));
}

/** The file that holds an offset, as the page knows it, and where that file begins. */
function fileAt(text: string, offset: number): { readonly name: string; readonly base: number } {
  return analyzed(text).project?.fileAt(offset) ?? { name: splitFiles(text)[0]?.name ?? "", base: 0 };
}

function findingView(finding: Diagnostic, text: string): FindingView {
  const { rule, severity, message, file = fileAt(text, 0).name, range, trace, fix } = finding;
  const run = trace === undefined ? [] : traceLines(trace);
  const shown = { rule, severity, message: escapeInvisible(message), file, range, run };
  return { ...shown, fix: fix && fixView(fix, text), isProvable: fix === undefined && isProved(finding) };
}

/** Each edit in the offsets of its file. */
function fixView(fix: Fix, text: string): FixView {
  const edits = fix.edits.map((edit) => {
    const { name: file, base } = fileAt(text, edit.start);
    return { ...edit, file, start: edit.start - base, end: edit.end - base };
  });
  return { ...fix, description: escapeInvisible(fix.description), edits };
}

async function drawText(text: string): Promise<DrawingView> {
  const runs = runsOf(analyzed(text));
  if ("missing" in runs) return runs;
  const { pack, machine, facts } = runs;
  const { kept: diagnostics } = linted(text);
  const drawing = await draw("html", { pack, facts, diagnostics, paths: pathsToPlay(machine) });
  return { page: drawing.text };
}

async function answer({ task, input }: Request): Promise<Response> {
  try {
    const perform = tasks[task] as (input: Request["input"]) => Answer<unknown>;
    return { output: await perform(input) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

const reply = (response: Response): void => postMessage(response);

addEventListener("message", ({ data }: MessageEvent<Request>) => void answer(data).then(reply));
reply("ready");
