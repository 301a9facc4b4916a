import { type Diagnostic, type Fix, severities } from "../../../src/diagnostic.js";
import { draw } from "../../../src/drawing/draw.js";
import { pathsToPlay } from "../../../src/coverage/paths.js";
import { isProved } from "../../../src/fix/apply-edits.js";
import { proveFixes } from "../../../src/fix/proved-fixes.js";
import { escapeInvisible } from "../../../src/text/escape.js";
import { traceLines } from "../../../src/text/format-trace.js";
import { analyze, lintAnalysis, proverFor, runsOf } from "./analyze.js";
import type {
  DrawingView,
  FindingView,
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
    findings: listedFindings(text).map(findingView),
    counts: { error: error ?? 0, warning: warning ?? 0, info: info ?? 0 },
  };
}

function proveText({ text, number }: ProofInput): readonly Fix[] {
  const analysis = analyzed(text);
  const finding = listedFindings(text).slice(number, number + 1);
  const proved = proveFixes(analysis, linted(text), finding, proverFor(analysis));
  return proved.flat().map(({ fix }) => fixView(fix));
}

function findingView(finding: Diagnostic): FindingView {
  const { rule, severity, message, range, trace, fix } = finding;
  const run = trace === undefined ? [] : traceLines(trace);
  const shown = { rule, severity, message: escapeInvisible(message), range, run };
  return { ...shown, fix: fix && fixView(fix), isProvable: fix === undefined && isProved(finding) };
}

function fixView(fix: Fix): Fix {
  return { ...fix, description: escapeInvisible(fix.description) };
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
