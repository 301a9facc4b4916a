import type { AgenticLog } from "../agentic/agentic-log.js";
import type { LogEvent } from "../agentic/log-event.js";
import type { Diagnostic } from "../diagnostic.js";
import { loopPlugin, transitionTool } from "../routes/routes.js";
import { escapeInvisible } from "../text/escape.js";
import { besideLabel, clipText, ruledTable, wrapText } from "../text/terminal-text.js";
import { pluralize } from "../text/wording.js";
import { eventSentBy } from "./recording.js";
import type { ReplayedLog } from "./replay-run.js";
import { shownWidth } from "./replay-text.js";

/** Whoever writes an event, or should have acted otherwise. */
type Actor = "caller" | "model" | "host" | "loop" | "plugin" | "dispatcher" | "routes";

/** Where it is not who wrote the event that a finding is about: a model chooses events, but the loop sends them. */
const causes: Readonly<Record<string, Actor>> = {
  "agentic-not-escalated": "loop",
  "agentic-result-before-request": "dispatcher",
  "agentic-late-result": "dispatcher",
  "agentic-stale-result": "dispatcher",
  "agentic-duplicate": "dispatcher",
};

const maxRows = 200;
const rowsAfterDivergence = 20;
/** Enough for a UUID. */
const maxCellWidth = 36;

/** The events of a log, its protocol and its workflow on one timeline, and who caused what diverges. */
export class Timeline {
  /** The state that each event leads to. */
  private readonly states = new Map<number, string>();
  /** Events of the workflow that are sent in an `external` state. */
  private readonly ofHost = new Set<number>();
  private readonly byIndex: ReadonlyMap<number, LogEvent>;
  private readonly first: Diagnostic | undefined;
  /** The event at which a run first diverges, rather than what all events led to. */
  private readonly firstEvent: number | undefined;

  constructor(
    private readonly log: AgenticLog,
    replays: ReplayedLog,
    inLog: readonly Diagnostic[],
    inState: readonly Diagnostic[] = [],
  ) {
    this.byIndex = new Map(log.events.map((event) => [event.index, event]));
    for (const [run, { recording, target }] of replays) {
      const { start, moves } = recording;
      if (start !== undefined) this.states.set(run.first.index, start.state.text);
      for (const { node, from, event, to } of moves) {
        if (to !== undefined) this.states.set(indexIn(node.pointer), to.text);
        const left = from && target.workflow.stateNamed(from.text);
        if (event !== undefined && left?.orchestration?.text === "external")
          this.ofHost.add(indexIn(event.pointer));
      }
    }
    const diverges = (each: Diagnostic) => each.severity !== "info" && this.causeOf(each) !== undefined;
    const atEvent = inLog.find((each) => each.rule !== "agentic-workspace" && diverges(each));
    this.first = atEvent ?? [...inLog, ...inState].find(diverges);
    this.firstEvent = atEvent && indexIn(atEvent.pointer);
  }

  /** Says of a finding who caused it, and whether it is the first. */
  readonly explain = (diagnostic: Diagnostic): Diagnostic => {
    const causedBy = this.causeOf(diagnostic);
    if (causedBy === undefined) return diagnostic;
    const { message, claim = message, data } = diagnostic;
    if (diagnostic !== this.first) return { ...diagnostic, data: { ...data, causedBy } };
    const whole = `${message} This is the first divergence; the ${causedBy} caused it.`;
    return { ...diagnostic, message: whole, claim, data: { ...data, causedBy, firstDivergence: true } };
  };

  private causeOf({ rule, pointer }: Diagnostic): Actor | undefined {
    if (rule.startsWith("agentic-state-")) return "loop";
    const event = this.byIndex.get(indexIn(pointer));
    if (event?.type === undefined) return undefined;
    if (rule === "agentic-unknown-run" && event.kind === "result") return "dispatcher";
    if (rule === "agentic-workspace" && event.kind !== "result") return "loop";
    if (rule === "agentic-route") return this.isAllowed(event.plugin ?? "") ? "routes" : "loop";
    const isChoice = rule === "run-unknown-event" || rule === "run-after-end";
    const actor = this.actorOf(event);
    return causes[rule] ?? (event.kind === "request" && !isChoice ? "loop" : actor);
  }

  private isAllowed(plugin: string): boolean {
    return plugin !== loopPlugin && this.log.surroundings.routes?.allowed?.has(plugin) !== false;
  }

  private actorOf({ index, kind, tool, isForeign }: LogEvent): Actor {
    const isOfWorkflow = tool?.text === transitionTool;
    if (kind === "start" || kind === "trigger") return "caller";
    if (kind === "request" && isOfWorkflow) return this.ofHost.has(index) ? "host" : "model";
    return isForeign || (kind === "result" && !isOfWorkflow) ? "plugin" : "loop";
  }

  /** A row per event, with the first divergence below its own; of a long log only the rows around it. */
  text(columns: number): string {
    const { events, document } = this.log;
    const { first, firstEvent } = this;
    const row = firstEvent === undefined ? undefined : events.findIndex(({ index }) => index === firstEvent);
    const last = Math.min(events.length, row === undefined ? events.length : row + 1 + rowsAfterDivergence);
    const before = Math.max(0, last - maxRows);
    const current = new Map<string, string>();
    const rows = events.slice(0, last).map((event, at) => {
      const id = event.runId?.text ?? "";
      const state = this.states.get(event.index) ?? current.get(id) ?? "";
      current.set(id, state);
      const line = document.lines.position(event.node.start).line;
      const mark = at === row ? "✗ " : "";
      return [`${mark}${line}`, id, this.actorOf(event), this.happeningText(event), state];
    });
    const shown = [["Line", "Run", "Who", "What", "State"], ...rows.slice(before)];
    const lines = [...ruledTable(shown.map((cells) => cells.map(shortened)))];
    if (before > 0) lines.push(`(${pluralize(before, "earlier event")} not shown.)`);
    if (last < events.length) lines.push(`(${pluralize(events.length - last, "later event")} not shown.)`);
    const note =
      first === undefined
        ? []
        : wrapText(escapeInvisible(this.explain(first).message), shownWidth(columns) - 4);
    if (row === undefined) lines.push(...besideLabel("✗ ", note));
    else lines.splice(row - before + 3, 0, ...besideLabel("  └ ", note));
    return `${lines.map((line) => `${line}\n`).join("")}\n`;
  }

  private happeningText(event: LogEvent): string {
    const { kind, step, tool, index, isOk, type } = event;
    const isOfWorkflow = tool?.text === transitionTool;
    if (kind === "start" || kind === "trigger") return "start";
    if (kind === "completed" || kind === "escalated") return kind;
    if (isOfWorkflow && kind === "request") return `event ${eventSentBy(event)?.text ?? "?"}`;
    if (isOfWorkflow && kind === "result" && isOk) return `enters ${this.states.get(index) ?? "?"}`;
    if (step === undefined || tool === undefined || kind === undefined) return type?.text ?? "?";
    return `${kind} ${step.value}: ${kind === "request" ? tool.text : isOk ? "ok" : "error"}`;
  }
}

function shortened(cell: string): string {
  return clipText(escapeInvisible(cell), maxCellWidth);
}

/** The line of a log that a pointer leads into, from 0. */
function indexIn(pointer: string): number {
  return Number(pointer.split("/", 2)[1] ?? NaN);
}
