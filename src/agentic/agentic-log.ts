import { addTo } from "../maps/add-to.js";
import type { Document } from "../document/document.js";
import type { Routes } from "../routes/routes.js";
import { LogEvent } from "./log-event.js";
import type { PluginState } from "./plugin-state.js";
import type { Remark, RemarkKind, RemarkOf } from "./remark.js";
import { walkLog, type Walked } from "./walk-log.js";
import type { Workspace } from "./workspace.js";

/** What may be known besides the log. */
export interface LogSurroundings {
  readonly routes?: Routes | undefined;
  readonly state?: PluginState | undefined;
  readonly workspace?: Workspace | undefined;
}

/** A log of RFC-103 events, and what a walk through it showed. */
export class AgenticLog {
  readonly events: readonly LogEvent[];
  private walkedThrough: Walked | undefined;
  private readonly byKind = new Map<RemarkKind, Remark[]>();

  constructor(
    readonly document: Document,
    readonly surroundings: LogSurroundings = {},
  ) {
    const { root, text } = document;
    this.events = (root?.kind === "sequence" ? root.items : []).flatMap((node, index) =>
      node.kind === "mapping" ? new LogEvent(index, node, text.slice(node.start, node.end)) : [],
    );
  }

  /** A line cannot be read, so what comes from there on is not known. */
  get isCutOff(): boolean {
    return this.document.faults.length > 0;
  }

  remarks<K extends RemarkKind>(kind: K): readonly RemarkOf<K>[] {
    this.walked();
    return (this.byKind.get(kind) ?? []).filter((remark): remark is RemarkOf<K> => remark.kind === kind);
  }

  get runs(): Walked["runs"] {
    return this.walked().runs;
  }

  get answers(): Walked["answers"] {
    return this.walked().answers;
  }

  private walked(): Walked {
    if (this.walkedThrough !== undefined) return this.walkedThrough;
    const { routes, state } = this.surroundings;
    const walked = walkLog(this.events, (runId) => state?.maxSteps(runId) ?? routes?.maxSteps);
    for (const remark of walked.remarks) {
      if (!this.isCutOff || !restsOnTheEnd(remark)) addTo(this.byKind, remark.kind, remark);
    }
    this.walkedThrough = walked;
    return walked;
  }
}

/** Whether it says that nothing more has happened, or that nothing further on belongs to it. */
function restsOnTheEnd(remark: Remark): boolean {
  switch (remark.kind) {
    case "open":
    case "unanswered-start":
    case "unknown-run":
      return true;
    case "not-escalated":
      return remark.next === undefined;
    default:
      return false;
  }
}
