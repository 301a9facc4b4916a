import type { Io } from "../terminal/io.js";
import {
  byDefault,
  colorOptions,
  configOrNone,
  drawingOutput,
  hidden,
  limitOptions,
  lintOptions,
  type Options,
  packOptions,
  readingOptions,
  repeatable,
  reportOptions,
  settingOptions,
  specVersionOption,
  targetOptions,
} from "../config/flags.js";

export interface CommandInfo {
  readonly summary: string;
  readonly description: string;
  readonly args?: Texts;
  readonly options?: Options;
  readonly examples: Texts;
  /** The work of a command gets its arguments and flags as written, and returns the exit code. */
  readonly load: () => Promise<(io: Io, ...args: never[]) => number | Promise<number>>;
}

export type Texts = Readonly<Record<string, string>>;

const packArgument = {
  "<pack>": "a pack or the head of a project, or a folder that holds one; - reads standard input",
};
const pathsArgument = { "[paths...]": "files, folders and globs; - reads standard input" };

const table: Readonly<Record<string, CommandInfo>> = {
  lint: {
    summary: "check packs and report findings",
    description:
      "Checks PromptPack files, and projects of sources (kind: Arena). Folders are searched for heads of projects, and for " +
      "{*.pack,*.promptpack,pack,promptpack}.{json,yaml,yml}, skipping node_modules and what .gitignore files match, " +
      "unless you name it. Without a path, the working folder is searched. Files that configure a resumable loop (RFC-103) are found under any name. Exits with 1 " +
      "when there are errors or more warnings than --max-warnings, with 2 when the job could not be done, and " +
      "with 0 otherwise.",
    args: pathsArgument,
    options: lintOptions,
    examples: {
      "promptpack lint": "the packs and projects below this folder",
      'promptpack lint "packs/**/*.yaml"': "the files that a glob matches",
      "promptpack lint --max-warnings 0": "warnings fail, too",
      "promptpack lint -f sarif=out.sarif -f pretty": "one for CI, one to read",
      "promptpack lint - < draft.yaml": "standard input",
      "promptpack lint --staged": "what is about to be committed",
      "promptpack lint --watch": "again on every save",
    },
    load: async () => (await import("../lint/lint-files.js")).lintFiles,
  },
  validate: {
    summary: "lint with the preset errors",
    description:
      "The same as lint --preset errors: reports only what breaks the specification or cannot run. Another --preset " +
      "replaces it.",
    args: pathsArgument,
    options: lintOptions,
    examples: {
      "promptpack validate": "the packs below this folder",
      "promptpack validate dist/support.pack.json": "one pack",
      "compile | promptpack validate -": "the output of another program",
    },
    load: async () => (await import("../lint/lint-files.js")).validateFiles,
  },
  compile: {
    summary: "make the pack of a project of sources",
    description:
      "Prints the pack that a head (kind: Arena) and the files that it names make, as JSON, with the content that packc " +
      "gives it. Without a head, it takes the only one below the working folder. Refuses sources with errors. Exits with " +
      "0 when the pack was made, or is up to date, with 1 when there are errors or the pack is out of date, and with 2 " +
      "when the job could not be done.",
    args: { "[head]": "the head of a project" },
    options: {
      "-o, --output <file>": "write to this file, creating missing folders",
      "--id <id>": "the id and name of the pack (the folder of the head by default)",
      "--created-at <time>": "the time to write into the pack; SOURCE_DATE_EPOCH by default, or else now",
      "--check <pack>":
        "print how the content of this compiled pack differs from the sources; exit with 1 if it does",
      "--force": "compile sources with errors, too",
      ...limitOptions,
    },
    examples: {
      "promptpack compile -o support.pack.json": "the only project below this folder",
      "promptpack compile arena.yaml --check support.pack.json": "for CI: is the committed pack up to date?",
    },
    load: async () => (await import("../actions/compile-sources.js")).compileSources,
  },
  graph: {
    summary: "draw the workflow of a pack",
    description:
      "Draws the workflow of a pack and marks its findings: loops that can repeat forever, states that no run enters, " +
      "names that do not exist. Findings that a comment or the config silences are not marked. Forced exits are " +
      "dashed. A state that runs a composition shows its steps, on a click in html, and only its name in svg. Exits with 0 when the workflow was drawn, whatever was found, and with 2 when it could not be drawn or opened.",
    args: packArgument,
    options: {
      "-f, --format <name>": "mermaid (the default), dot, svg, html or json",
      ...drawingOutput,
      "--open": "open the page in the browser; without --output, from a temporary file",
      "--direction <name>": byDefault(
        "auto",
        "tb (down), lr (to the right), or auto: what fits a screen better",
      ),
      "--no-findings": "draw the workflow without findings",
      "--coverage <records...>": "paint what these recorded runs have tried, and what not",
      ...readingOptions,
      ...packOptions,
    },
    examples: {
      "promptpack graph support.pack.yaml": "Mermaid, for a Markdown page",
      "promptpack graph support.pack.yaml --open": "an interactive page, in the browser",
      "promptpack graph support.pack.yaml -o support.html": "the same page, to keep",
      "promptpack graph support.pack.yaml -o docs/support.svg": "a picture to commit",
      "promptpack graph support.pack.yaml -o tried.html --coverage runs/*.jsonl": "what was tried",
      "promptpack graph support.pack.yaml -f dot | dot -Tpdf > a.pdf": "through Graphviz",
    },
    load: async () => (await import("../actions/draw-graph.js")).drawGraph,
  },
  inspect: {
    summary: "summarise a pack on one screen",
    description:
      "Prints what is in a pack and what its workflow can do: where runs start and end, the loops and what bounds " +
      "each, the most visits a run can make, the shortest complete run, where it waits for a person, tool rounds, " +
      "artifacts; and the steps of its compositions.",
    args: packArgument,
    options: {
      "-f, --format <name>": byDefault("text", "text, or json with the same facts"),
      ...targetOptions,
      ...packOptions,
      ...colorOptions,
    },
    examples: {
      "promptpack inspect support.pack.yaml": "one screen",
      "promptpack inspect support.pack.yaml --format json": "for a program",
    },
    load: async () => (await import("../actions/inspect-pack.js")).inspectPack,
  },
  diff: {
    summary: "compare two versions of a pack",
    description:
      "Lists what a change does to those who depend on a pack: what breaks them, what behaves differently, with the " +
      "shortest runs that show it, and whether the version was raised enough. Exits with 1 when it was not, or when " +
      "there are changes that --fail-on names, with 2 when something could not be compared, and with 0 otherwise.",
    args: {
      "[packs...]":
        "the old and the new pack, files or folders that hold one, - for standard input; with --against, files, folders and globs, or none for all packs in the working folder",
    },
    options: {
      "--against <ref>": "compare with a branch, tag or commit in git",
      "--fail-on <level>": "exit with 1 on breaking changes, on behaviour or worse, or on any change",
      "-f, --format <name>":
        "pretty (the default), json, markdown, github, sarif, or html: both workflows in one picture",
      ...drawingOutput,
      ...packOptions,
      ...colorOptions,
    },
    examples: {
      "promptpack diff old.pack.yaml new.pack.yaml": "two files",
      "promptpack diff --against main": "all packs here, against a branch",
      "promptpack diff a.pack.yaml --against v1.2.0": "one pack, against a tag",
      "promptpack diff --against main --fail-on breaking": "for CI",
      "promptpack diff a.pack.yaml --against HEAD -o a.html": "a picture",
    },
    load: async () => (await import("../actions/diff-packs.js")).diffPacks,
  },
  simulate: {
    summary: "step through a workflow without a model",
    description:
      "Steps through the workflow of a pack: with --events, at random with --random, or otherwise interactively. " +
      "Prints each transition with the artifacts at that point, what each composition did, and how the run ended. " +
      "Exits with 0 when the run is complete, with 1 when it is not, and with 2 when it could not be simulated.",
    args: packArgument,
    options: {
      "-e, --events <list>": repeatable(
        "the events in order, as A,B,C; A[x=1][y=2] fills the artifacts x and y before A, A[tools 3][seconds 20] uses up the budget, A[route no] answers the branch route of the state's composition; \\ escapes a comma or bracket; repeatable; or one line of paths --format jsonl",
      ),
      "--random <n>": "send at most this many events, chosen at random",
      "--seed <n>": "the seed of the random choice (1 by default)",
      "--no-budget": "ignore engine.budget",
      "--agent <member>": "start in the state of this agent",
      "--set <name=value>": repeatable(
        "fill an artifact when the run next leaves a state that declares it, or ends in one; repeatable",
      ),
      "--answer <branch=no>": repeatable(
        "answer yes or no when the composition of a state next asks this branch (yes by default, at random with --random); repeatable",
      ),
      "--var <name=value>": repeatable("a variable for --render; repeatable"),
      "--render": "show the prompt of the last state with artifacts and variables filled in",
      ...readingOptions,
      "--force": "simulate a workflow of an unknown version, too",
      "-f, --format <name>": byDefault(
        "table",
        "table, json, or jsonl: a recorded run, one transition per line",
      ),
      ...limitOptions,
      ...colorOptions,
    },
    examples: {
      "promptpack simulate codegen.pack.yaml": "interactively; type help for the commands",
      "promptpack simulate a.pack.yaml --events Ready,Done": "the events in order",
      'promptpack simulate a.pack.yaml --events "Ready[sha=abc],Done"': "with an artifact",
      'promptpack simulate a.pack.yaml -e "Ready[tools 9][seconds 20]"': "uses up the budget",
      "promptpack simulate a.pack.yaml -e Done --answer route=no": "a branch of a composition",
      'promptpack simulate a.pack.yaml --no-budget -e "$(head -1 paths.jsonl)"': "a run of paths",
      "promptpack simulate a.pack.yaml --random 50 --seed 7": "a random run",
      "promptpack simulate a.pack.yaml -e Ready --render --runtime promptkit": "what PromptKit sends",
      "promptpack simulate a.pack.yaml -e Ready -f jsonl > run.jsonl": "save the run",
    },
    load: async () => (await import("../actions/simulate-pack.js")).simulatePack,
  },
  replay: {
    summary: "check a recorded run",
    description:
      "Checks what a runtime did. A record is recognised by its content: JSON Lines of RFC-103 events, JSON Lines of " +
      "transitions as simulate --format jsonl writes them, or a workflow context that a runtime saved. The last two are " +
      "checked against a pack; events may be, and then on one timeline with their routes and state, with who caused the " +
      "first divergence. Exits with 1 when there are errors or more warnings than --max-warnings, " +
      "with 2 when the job could not be done, and with 0 otherwise.",
    args: { "<record>": "the record of a run; - reads standard input" },
    options: {
      "--pack <pack>": "the pack whose workflow ran",
      "--no-budget": "ignore engine.budget",
      ...readingOptions,
      "--routes <path>": "check the events against these routes, a file or a folder",
      "--state <file>": "check the state that the agentic-loop plugin saved",
      "--workspace <folder>": "check the workspace of the run",
      ...reportOptions,
      "--no-config": configOrNone("use no config file"),
      ...limitOptions,
      ...colorOptions,
    },
    examples: {
      "promptpack replay events.jsonl": "an RFC-103 event log",
      "promptpack replay events.jsonl --routes conf/": "and check it against its routes",
      "promptpack replay events.jsonl --pack a.pack.yaml": "and against the workflow",
      "promptpack replay run.jsonl --pack a.pack.yaml": "a recorded run of a workflow",
    },
    load: async () => (await import("../actions/replay-record.js")).replayRecord,
  },
  paths: {
    summary: "list few runs that try everything",
    description:
      "Prints few runs that together enter every state, send every event in every state, take every forced exit and end " +
      "in every way, as far as runs can; engine.budget is set aside. Exits with 0, or with 2 when the job could not be done.",
    args: packArgument,
    options: {
      "-f, --format <name>": byDefault(
        "table",
        "table, jsonl: one run per line, as simulate --events takes it, or arena: scenarios of PromptArena",
      ),
      "-o, --output <file>": "write to this file, creating missing folders",
      ...readingOptions,
      ...packOptions,
    },
    examples: {
      "promptpack paths support.pack.yaml": "the runs, and what each adds",
      "promptpack paths support.pack.yaml -f jsonl -o paths.jsonl": "for simulate, or a test of your own",
      "promptpack paths support.pack.yaml -f arena -o scenarios.yaml": "for PromptArena",
    },
    load: async () => (await import("../actions/measure-coverage.js")).listPackPaths,
  },
  coverage: {
    summary: "show what recorded runs have tried",
    description:
      "Shows which of the states, transitions, forced exits and ends that runs can reach were tried in recorded runs. A " +
      "record is what replay checks against a pack: transitions as simulate --format jsonl writes them, of one run " +
      "or of several after one another, or a workflow context that a runtime saved. A run counts as far as it fits " +
      "the workflow. Exits with 1 when less than --min of the transitions were tried, with 2 when the job could " +
      "not be done, and with 0 otherwise.",
    args: { ...packArgument, "<records...>": "the records of runs; - reads standard input" },
    options: {
      "-f, --format <name>": byDefault("table", "table, markdown or json"),
      "--min <percent>": "fail when fewer of the transitions were tried",
      ...packOptions,
    },
    examples: {
      "promptpack coverage a.pack.yaml runs/*.jsonl": "what was tried, and what was not",
      "promptpack coverage a.pack.yaml runs/*.jsonl --min 80": "fail below 80 %",
      "promptpack coverage a.pack.yaml runs.jsonl -f markdown": "for a pull request",
    },
    load: async () => (await import("../actions/measure-coverage.js")).measureCoverage,
  },
  vectors: {
    summary: "write test vectors for a runtime",
    description:
      "Writes small packs, each with the events of a run and the record that the machine of the RFCs makes of them, as " +
      "JSON Lines: first one for each sentence of RFC 0005, 0009 and 0011 about how a workflow runs, then random ones. The same " +
      "seed gives the same bytes. Exits with 0, or with 2 when the job could not be done.",
    options: {
      "--count <n>": byDefault("200", "how many random vectors follow those for sentences"),
      "--seed <n>": byDefault("1", "the seed of the random ones"),
      "--runtime <name>": repeatable(
        "also write what this runtime makes of the events: promptkit; repeatable",
      ),
      "-o, --output <file>": "write to this file, creating missing folders",
    },
    examples: {
      "promptpack vectors -o vectors.jsonl": "the kit",
      "promptpack vectors --count 0": "only those for sentences",
      "promptpack vectors --count 1000 --seed 7": "more, and others",
      "promptpack vectors --runtime promptkit": "with the records of PromptKit beside those of the RFCs",
    },
    load: async () => (await import("../actions/write-vectors.js")).writeVectors,
  },
  step: {
    summary: "take one turn of a resumable run",
    description:
      "Takes one turn of a workflow, as an RFC-103 job does: loads the run, checks that the turn is the next one, saves " +
      "the run, and prints the events as JSON Lines. A turn that was taken before changes nothing. Exits with 0 when " +
      "the turn is taken, even if the run escalates, or ignored, with 1 when it is refused, and with 2 when the job " +
      "could not be done.",
    args: { "[pack]": "a pack with a workflow, or a folder that holds one" },
    options: {
      "--run <file>": "the file that keeps the run between turns",
      "--protocol":
        "instead of all flags but --force and limits, read a request of RFC-103's protocol from standard input, and print the response; config.pack may name the pack",
      "--workspace <folder>":
        "make the workspace of the run in this folder, and append the events to its trace.jsonl",
      "--start": "start the run",
      "--run-id <id>": "the id of the run; with --start, a UUID by default",
      "--agent <member>": "with --start, start in the state of this agent",
      "--goal <text>": "with --start, the goal of the run",
      "--max-steps <n>":
        "with --start, the step at which the run escalates (20 by default, or more where the budget allows more)",
      "--max-reframes <n>": "with --start, how often the goal may be framed anew (2 by default)",
      "--event <event>": "this event of the workflow happened, in the step given by --step",
      "--set <name=value>": repeatable(
        "fill an artifact of the state that the run leaves with --event, or ends in; repeatable",
      ),
      "--result <status>": "a tool answered the step given by --step: ok or error",
      "--tool <tool>": "with --result, the tool that answered",
      "--attempt <n>": "with --result, the attempt that it answers",
      "--tool-result <json>": "with --result, the result, a JSON object; - reads standard input",
      "--artifact-path <path>": "with --result, the file in artifacts/ that holds the result",
      "--error <text>": "with --result error, what went wrong",
      "--step <n>": repeatable(
        "the step of the event or result; given twice, the second is the step of the request",
      ),
      "--reframe": "the goal is framed anew in this turn",
      "--request <tool>":
        "then request a tool that the prompt of the state lists, as the next step, or as the same step after an error",
      "--tool-payload <json>": "with --request, the payload, a JSON object; - reads standard input",
      "--done": "then complete the run; by itself, with the last --step, once the workflow has ended",
      "--outcome <text>": "with --done, what the run has achieved",
      "--force": "run a workflow of an unknown version, too",
      ...limitOptions,
    },
    examples: {
      "promptpack step a.pack.yaml --run r.json --start --request fetch": "start, and request a tool",
      "promptpack step a.pack.yaml --run r.json --result ok --step 1 --tool fetch": "the tool answered",
      "promptpack step a.pack.yaml --run r.json --event Ready --step 2 --done": "an event, and the end",
      "promptpack step --protocol < request.json > response.json": "as the loop of a dispatcher",
    },
    load: async () => (await import("../actions/step-pack.js")).stepPack,
  },
  rules: {
    summary: "list the rules",
    description:
      "Lists the rules: what each one requires, and its default severity. Findings of rules marked [fix] can be fixed " +
      "with --fix, and of rules marked [unsafe fix] or [proved fix] with --fix --unsafe-fixes.",
    args: { "[word]": "list only rules with this word in their id, group or summary" },
    options: {
      "-f, --format <name>": byDefault(
        "text",
        'text, or json: an array of {id, severity, summary, source}, fix, "safe", "unsafe" or "proved", if there is one, and since, the version of the specification that the rule begins with',
      ),
    },
    examples: {
      "promptpack rules": "the list",
      "promptpack rules artifact": "the rules about artifacts",
      "promptpack rules --format json": "for a program",
      "promptpack explain dead-guard": "one rule in full",
    },
    load: async () => (await import("../actions/print-reference.js")).listRules,
  },
  explain: {
    summary: "explain a rule",
    description: "Prints why a rule exists, what is wrong and right in short, and the details.",
    args: { "<rule>": 'the id of a rule as a finding shows it, "unknown-entry" or "[unknown-entry]"' },
    options: colorOptions,
    examples: {
      "promptpack explain unknown-entry": "one rule",
      "promptpack rules": "the ids of all rules",
    },
    load: async () => (await import("../actions/print-reference.js")).explainRule,
  },
  schema: {
    summary: "print a JSON Schema for editors",
    description:
      "Prints the JSON Schema of PromptPack files, or of another kind of file that this tool reads or writes.",
    options: {
      "--kind <name>": byDefault(
        "pack",
        "pack, report (of --format json), config (of promptpack.config.yaml), routes, agentic-event, agentic-state, step-protocol, run-record, workflow-context or vector",
      ),
      "--spec-version <version>": "the schema of packs as that version of the specification had it",
    },
    examples: {
      "promptpack schema > promptpack.schema.json": "for an editor to complete packs",
      "promptpack schema --spec-version 1.4": "what PromptPack 1.4 had",
      "promptpack schema --kind config": "for the config file",
      "promptpack schema --kind report": "for the output of --format json",
    },
    load: async () => (await import("../actions/print-reference.js")).printSchema,
  },
  lsp: {
    summary: "serve an editor: findings as you type, and fixes",
    description:
      "Serves the Language Server Protocol over standard input and output. Started by an editor, it lints the packs " +
      "and routes (RFC-103) that are open there, saved or not, with the configuration of each, offers what --fix " +
      "can fix, completes, explains and renames, and goes from names to their definitions and references. Exits with " +
      "0 when the editor shuts it down, and with 1 when the editor is gone.",
    options: {
      ...settingOptions,
      ...targetOptions,
      ...specVersionOption,
      "--baseline <file>": "leave out the findings that this file records",
      "--stdio": "the default; accepted because many editors pass it",
      "--clientProcessId <id>": hidden("passed by some editors"),
      ...limitOptions,
    },
    examples: {
      "promptpack lsp": "the command to set in your editor",
      "promptpack lsp --preset strict": "with infos as warnings",
    },
    load: async () => (await import("../editor/editor-session.js")).serveEditor,
  },
  init: {
    summary: "write a config, a pre-commit hook and a GitHub workflow",
    description:
      "Writes promptpack.config.yaml, .pre-commit-config.yaml and .github/workflows/promptpack-lint.yml. " +
      "Never overwrites a file.",
    options: { "--dry-run": "print what would be written, but write nothing" },
    examples: {
      "promptpack init --dry-run": "look first",
      "promptpack init": "write the files",
    },
    load: async () => (await import("../actions/init-project.js")).initProject,
  },
  completion: {
    summary: "print a completion script for a shell",
    description: "Prints a script that completes commands, flags, formats and rule ids in a shell.",
    args: { "<shell>": "bash, zsh or fish" },
    examples: {
      'eval "$(promptpack completion bash)"': "in ~/.bashrc",
      'eval "$(promptpack completion zsh)"': "in ~/.zshrc, after compinit",
      "promptpack completion fish | source": "in ~/.config/fish/config.fish",
    },
    load: async () => (await import("../actions/print-completion.js")).printCompletion,
  },
};

/** By name, in the order of the help. */
export const commands: ReadonlyMap<string, CommandInfo> = new Map(Object.entries(table));
