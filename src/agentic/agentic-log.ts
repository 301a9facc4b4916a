import type { Finding } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import { itemsOf } from "../document/node.js";
import type { Routes } from "../routes/routes.js";
import { lazy } from "../text/collections.js";
import { LogEvent } from "./log-event.js";
import type { PluginState } from "./plugin-state.js";
import type { Answer, LoggedRun } from "./run-tracker.js";
import { walkLog } from "./walk-log.js";
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
  /** Whether a line cannot be read: the log may go on after it. */
  readonly isTruncated: boolean;
  private readonly walk: () => ReturnType<typeof walkLog>;

  constructor(
    readonly document: Document,
    readonly surroundings: LogSurroundings = {},
  ) {
    const { root, text, faults } = document;
    this.isTruncated = faults.length > 0;
    this.events = itemsOf(root).flatMap((node, index) =>
      node.kind === "mapping" ? new LogEvent(index, node, text.slice(node.start, node.end)) : [],
    );
    const { routes, state } = surroundings;
    const maxSteps = (runId: string) => state?.maxSteps(runId) ?? routes?.maxSteps;
    this.walk = lazy(() => walkLog(this.events, maxSteps, this.isTruncated));
  }

  /** The violations of the protocol that a rule reports. */
  findings(rule: string): readonly Finding[] {
    return this.walk().findings.get(rule) ?? [];
  }

  get runs(): readonly LoggedRun[] {
    return this.walk().runs;
  }

  get answers(): readonly Answer[] {
    return this.walk().answers;
  }

  /** Whether it is known of every run how far it got. */
  get isClear(): boolean {
    return !this.isTruncated && !this.walk().isUnclear;
  }
}
