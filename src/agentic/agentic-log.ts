import type { Document } from "../document/document.js";
import type { Routes } from "../routes/routes.js";
import { appendTo } from "../text/collections.js";
import { LogEvent } from "./log-event.js";
import type { PluginState } from "./plugin-state.js";
import type { Violation, ViolationKind, ViolationOf } from "./violation.js";
import { walkLog, type WalkResult } from "./walk-log.js";
import type { Workspace } from "./workspace.js";

/** Other files that belong to the log. */
export interface LogSurroundings {
  readonly routes?: Routes | undefined;
  readonly state?: PluginState | undefined;
  readonly workspace?: Workspace | undefined;
}

/** A log of RFC-103 events, and the violations found in it. */
export class AgenticLog {
  readonly events: readonly LogEvent[];
  private walkResult: WalkResult | undefined;
  private readonly byKind = new Map<ViolationKind, Violation[]>();

  constructor(
    readonly document: Document,
    readonly surroundings: LogSurroundings = {},
  ) {
    const { root, text } = document;
    this.events = (root?.kind === "sequence" ? root.items : []).flatMap((node, index) =>
      node.kind === "mapping" ? new LogEvent(index, node, text.slice(node.start, node.end)) : [],
    );
  }

  /** Whether a line cannot be read: the log may go on after it. */
  get isTruncated(): boolean {
    return this.document.faults.length > 0;
  }

  violations<K extends ViolationKind>(kind: K): readonly ViolationOf<K>[] {
    this.walk();
    return (this.byKind.get(kind) ?? []).filter((each): each is ViolationOf<K> => each.kind === kind);
  }

  get runs(): WalkResult["runs"] {
    return this.walk().runs;
  }

  get answers(): WalkResult["answers"] {
    return this.walk().answers;
  }

  /** Whether it is known of every run how far it got. */
  get isClear(): boolean {
    return !this.isTruncated && !this.walk().isUnclear;
  }

  private walk(): WalkResult {
    if (this.walkResult !== undefined) return this.walkResult;
    const { routes, state } = this.surroundings;
    const walked = walkLog(this.events, (runId) => state?.maxSteps(runId) ?? routes?.maxSteps);
    for (const violation of walked.violations) {
      if (!this.isTruncated || !dependsOnLogEnd(violation)) appendTo(this.byKind, violation.kind, violation);
    }
    this.walkResult = walked;
    return walked;
  }
}

/** Whether an event after the end of the log could make it right. */
function dependsOnLogEnd(violation: Violation): boolean {
  switch (violation.kind) {
    case "open":
    case "unanswered-start":
    case "unknown-run":
      return true;
    case "not-escalated":
      return violation.next === undefined;
    default:
      return false;
  }
}
