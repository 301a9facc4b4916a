import {
  addColorFlags,
  addLimitFlags,
  addReportFlags,
  addSpecVersionFlag,
  collectValues,
} from "../config/flags.js";
import { addExamples, type DefineCommand } from "./usage.js";

export const defineGraph: DefineCommand = (command, runs) => {
  command
    .summary("draw the workflow of a pack")
    .description(
      "Draws the workflow of a pack and marks its findings: loops that can repeat forever, states that no run enters, " +
        "names that do not exist. Findings that a comment or the config silences are not marked. Forced exits are " +
        "dashed. A state that runs a composition shows its steps, on a click in html, and only its name in svg. Exits with 0 when the workflow was drawn, whatever was found, and with 2 when it could not be drawn or opened.",
    )
    .argument("<pack>", "a pack, or a folder that holds one; - reads standard input")
    .option("-f, --format <name>", "mermaid (the default), dot, svg, html or json")
    .option(
      "-o, --output <file>",
      "write to this file, creating missing folders; its extension sets the format",
    )
    .option("--open", "open the page in the browser; without --output, from a temporary file")
    .option("--direction <name>", "tb (down), lr (to the right), or auto: what fits a screen better", "auto")
    .option("--no-findings", "draw the workflow without findings")
    .option("--coverage <records...>", "paint what these recorded runs have tried, and what not");
  addLimitFlags(addSpecVersionFlag(command));
  addExamples(command, [
    ["promptpack graph support.pack.yaml", "Mermaid, for a Markdown page"],
    ["promptpack graph support.pack.yaml --open", "an interactive page, in the browser"],
    ["promptpack graph support.pack.yaml -o support.html", "the same page, to keep"],
    ["promptpack graph support.pack.yaml -o docs/support.svg", "a picture to commit"],
    ["promptpack graph support.pack.yaml -o tried.html --coverage runs/*.jsonl", "what was tried"],
    ["promptpack graph support.pack.yaml -f dot | dot -Tpdf > a.pdf", "through Graphviz"],
  ]).action(runs(async () => (await import("../actions/draw-graph.js")).drawGraph));
};

export const defineInspect: DefineCommand = (command, runs) => {
  command
    .summary("summarise a pack on one screen")
    .description(
      "Prints what is in a pack and what its workflow can do: where runs start and end, the loops and what bounds " +
        "each, the most visits a run can make, the shortest complete run, where it waits for a person, tool rounds, " +
        "artifacts; and the steps of its compositions.",
    )
    .argument("<pack>", "a pack, or a folder that holds one; - reads standard input")
    .option("-f, --format <name>", "text, or json with the same facts", "text");
  addColorFlags(addLimitFlags(addSpecVersionFlag(command)));
  addExamples(command, [
    ["promptpack inspect support.pack.yaml", "one screen"],
    ["promptpack inspect support.pack.yaml --format json", "for a program"],
  ]).action(runs(async () => (await import("../actions/inspect-pack.js")).inspectPack));
};

export const defineDiff: DefineCommand = (command, runs) => {
  command
    .summary("compare two versions of a pack")
    .description(
      "Lists what a change does to those who depend on a pack: what breaks them, what behaves differently, with the " +
        "shortest runs that show it, and whether the version was raised enough. Exits with 1 when it was not, or when " +
        "there are changes that --fail-on names, with 2 when something could not be compared, and with 0 otherwise.",
    )
    .argument(
      "[packs...]",
      "the old and the new pack, files or folders that hold one, - for standard input; with --against, files, folders and globs, or none for all packs in the working folder",
    )
    .option("--against <ref>", "compare with a branch, tag or commit in git")
    .option("--fail-on <level>", "exit with 1 on breaking changes, on behaviour or worse, or on any change")
    .option(
      "-f, --format <name>",
      "pretty (the default), json, markdown, github, sarif, or html: both workflows in one picture",
    )
    .option(
      "-o, --output <file>",
      "write to this file, creating missing folders; its extension sets the format",
    );
  addColorFlags(addLimitFlags(addSpecVersionFlag(command)));
  addExamples(command, [
    ["promptpack diff old.pack.yaml new.pack.yaml", "two files"],
    ["promptpack diff --against main", "all packs here, against a branch"],
    ["promptpack diff a.pack.yaml --against v1.2.0", "one pack, against a tag"],
    ["promptpack diff --against main --fail-on breaking", "for CI"],
    ["promptpack diff a.pack.yaml --against HEAD -o a.html", "a picture"],
  ]).action(runs(async () => (await import("../actions/diff-packs.js")).diffPacks));
};

export const defineSimulate: DefineCommand = (command, runs) => {
  command
    .summary("step through a workflow without a model")
    .description(
      "Steps through the workflow of a pack: with --events, at random with --random, or otherwise interactively. " +
        "Prints each transition with the artifacts at that point, what each composition did, and how the run ended. " +
        "Exits with 0 when the run is complete, with 1 when it is not, and with 2 when it could not be simulated.",
    )
    .argument("<pack>", "a pack, or a folder that holds one; - reads standard input")
    .option(
      "-e, --events <list>",
      "the events in order, as A,B,C; A[x=1][y=2] fills the artifacts x and y before A, A[tools 3][seconds 20] uses up the budget, A[route no] answers the branch route of the state's composition; \\ escapes a comma or bracket; repeatable; or one line of paths --format jsonl",
      collectValues,
    )
    .option("--random <n>", "send at most this many events, chosen at random")
    .option("--seed <n>", "the seed of the random choice (1 by default)")
    .option("--no-budget", "ignore engine.budget")
    .option("--agent <member>", "start in the state of this agent")
    .option(
      "--set <name=value>",
      "fill an artifact when the run next leaves a state that declares it, or ends in one; repeatable",
      collectValues,
    )
    .option(
      "--answer <branch=no>",
      "answer yes or no when the composition of a state next asks this branch (yes by default, at random with --random); repeatable",
      collectValues,
    )
    .option("--var <name=value>", "a variable for --render; repeatable", collectValues)
    .option("--render", "show the prompt of the last state with artifacts and variables filled in")
    .option("-f, --format <name>", "table, json, or jsonl: a recorded run, one transition per line", "table");
  addColorFlags(addLimitFlags(command));
  addExamples(command, [
    ["promptpack simulate codegen.pack.yaml", "interactively; type help for the commands"],
    ["promptpack simulate a.pack.yaml --events Ready,Done", "the events in order"],
    ['promptpack simulate a.pack.yaml --events "Ready[sha=abc],Done"', "with an artifact"],
    ['promptpack simulate a.pack.yaml -e "Ready[tools 9][seconds 20]"', "uses up the budget"],
    ["promptpack simulate a.pack.yaml -e Done --answer route=no", "a branch of a composition"],
    ['promptpack simulate a.pack.yaml --no-budget -e "$(head -1 paths.jsonl)"', "a run of paths"],
    ["promptpack simulate a.pack.yaml --random 50 --seed 7", "a random run"],
    ["promptpack simulate a.pack.yaml -e Ready -f jsonl > run.jsonl", "save the run"],
  ]).action(runs(async () => (await import("../actions/simulate-pack.js")).simulatePack));
};

export const defineReplay: DefineCommand = (command, runs) => {
  command
    .summary("check a recorded run")
    .description(
      "Checks what a runtime did. A record is recognised by its content: JSON Lines of RFC-103 events, JSON Lines of " +
        "transitions as simulate --format jsonl writes them, or a workflow context that a runtime saved; the last " +
        "two are checked against a pack. Exits with 1 when there are errors or more warnings than --max-warnings, " +
        "with 2 when the job could not be done, and with 0 otherwise.",
    )
    .argument("<record>", "the record of a run; - reads standard input")
    .option("--pack <pack>", "the pack whose workflow ran")
    .option("--no-budget", "ignore engine.budget")
    .option("--routes <path>", "check the events against these routes, a file or a folder")
    .option("--state <file>", "check the state that the agentic-loop plugin saved")
    .option("--workspace <folder>", "check the workspace of the run");
  addColorFlags(addLimitFlags(addReportFlags(command, "use no config file")));
  addExamples(command, [
    ["promptpack replay events.jsonl", "an RFC-103 event log"],
    ["promptpack replay events.jsonl --routes conf/", "and check it against its routes"],
    ["promptpack replay run.jsonl --pack a.pack.yaml", "a recorded run of a workflow"],
  ]).action(runs(async () => (await import("../actions/replay-record.js")).replayRecord));
};

export const definePaths: DefineCommand = (command, runs) => {
  command
    .summary("list few runs that try everything")
    .description(
      "Prints few runs that together enter every state, send every event in every state, take every forced exit and end " +
        "in every way, as far as runs can; engine.budget is set aside. Exits with 0, or with 2 when the job could not be done.",
    )
    .argument("<pack>", "a pack, or a folder that holds one; - reads standard input")
    .option(
      "-f, --format <name>",
      "table, jsonl: one run per line, as simulate --events takes it, or arena: scenarios of PromptArena",
      "table",
    )
    .option("-o, --output <file>", "write to this file, creating missing folders");
  addLimitFlags(addSpecVersionFlag(command));
  addExamples(command, [
    ["promptpack paths support.pack.yaml", "the runs, and what each adds"],
    ["promptpack paths support.pack.yaml -f jsonl -o paths.jsonl", "for simulate, or a test of your own"],
    ["promptpack paths support.pack.yaml -f arena -o scenarios.yaml", "for PromptArena"],
  ]).action(runs(async () => (await import("../actions/list-paths.js")).listPackPaths));
};

export const defineCoverage: DefineCommand = (command, runs) => {
  command
    .summary("show what recorded runs have tried")
    .description(
      "Shows which of the states, transitions, forced exits and ends that runs can reach were tried in recorded runs. A " +
        "record is what replay checks against a pack: transitions as simulate --format jsonl writes them, of one run " +
        "or of several after one another, or a workflow context that a runtime saved. A run counts as far as it fits " +
        "the workflow. Exits with 1 when less than --min of the transitions were tried, with 2 when the job could " +
        "not be done, and with 0 otherwise.",
    )
    .argument("<pack>", "a pack, or a folder that holds one; - reads standard input")
    .argument("<records...>", "the records of runs; - reads standard input")
    .option("-f, --format <name>", "table, markdown or json", "table")
    .option("--min <percent>", "fail when fewer of the transitions were tried");
  addLimitFlags(addSpecVersionFlag(command));
  addExamples(command, [
    ["promptpack coverage a.pack.yaml runs/*.jsonl", "what was tried, and what was not"],
    ["promptpack coverage a.pack.yaml runs/*.jsonl --min 80", "fail below 80 %"],
    ["promptpack coverage a.pack.yaml runs.jsonl -f markdown", "for a pull request"],
  ]).action(runs(async () => (await import("../actions/measure-coverage.js")).measureCoverage));
};

export const defineStep: DefineCommand = (command, runs) => {
  command
    .summary("take one turn of a resumable run")
    .description(
      "Takes one turn of a workflow, as an RFC-103 job does: loads the run, checks that the turn is the next one, saves " +
        "the run, and prints the events as JSON Lines. A turn that was taken before changes nothing. Exits with 0 when " +
        "the turn is taken, even if the run escalates, or ignored, with 1 when it is refused, and with 2 when the job " +
        "could not be done.",
    )
    .argument("<pack>", "a pack with a workflow, or a folder that holds one")
    .requiredOption("--run <file>", "the file that keeps the run between turns")
    .option("--start", "start the run")
    .option("--run-id <id>", "the id of the run; with --start, a UUID by default")
    .option("--agent <member>", "with --start, start in the state of this agent")
    .option("--goal <text>", "with --start, the goal of the run")
    .option(
      "--max-steps <n>",
      "with --start, the step at which the run escalates (20 by default, or more where the budget allows more)",
    )
    .option("--event <event>", "this event of the workflow happened, in the step given by --step")
    .option(
      "--set <name=value>",
      "fill an artifact of the state that the run leaves with --event, or ends in with --done; repeatable",
      collectValues,
    )
    .option("--result <status>", "a tool answered the step given by --step: ok or error")
    .option("--tool <tool>", "with --result, the tool that answered")
    .option("--attempt <n>", "with --result, the attempt that it answers")
    .option("--tool-result <json>", "with --result, the result, a JSON object; - reads standard input")
    .option("--artifact-path <path>", "with --result, the file in artifacts/ that holds the result")
    .option("--error <text>", "with --result error, what went wrong")
    .option(
      "--step <n>",
      "the step of the event or result; given twice, the second is the step of the request",
      collectValues,
    )
    .option("--request <tool>", "then request a tool, as the next step, or as the same step after an error")
    .option("--tool-payload <json>", "with --request, the payload, a JSON object; - reads standard input")
    .option("--done", "then complete the run; by itself, with the last --step, once the workflow has ended")
    .option("--outcome <text>", "with --done, what the run has achieved");
  addLimitFlags(command);
  addExamples(command, [
    ["promptpack step a.pack.yaml --run r.json --start --request fetch", "start, and request a tool"],
    ["promptpack step a.pack.yaml --run r.json --result ok --step 1 --tool fetch", "the tool answered"],
    ["promptpack step a.pack.yaml --run r.json --event Ready --step 2 --done", "an event, and the end"],
  ]).action(runs(async () => (await import("../actions/step-pack.js")).stepPack));
};
