import type { Place } from "../diagnostic.js";
import type { LocatedCount } from "../document/spelled-values.js";
import type { ReportDeviation } from "./deviation.js";
import type { ReplayTarget } from "./recorded-run.js";

/** Holds the entries of all states against `max_total_visits`, where budgets count. */
export class BudgetTracker {
  private readonly allowed: LocatedCount | undefined;
  private isReported = false;

  constructor(
    { checksBudget, workflow }: ReplayTarget,
    private readonly report: ReportDeviation,
  ) {
    this.allowed = checksBudget ? workflow.budget?.maxTotalVisits : undefined;
  }

  allows(total: number): boolean {
    return this.allowed === undefined || total <= this.allowed.value;
  }

  /** Only the first entry past the budget is told. */
  check(at: Place, used: number): void {
    const { allowed } = this;
    if (allowed === undefined || this.allows(used) || this.isReported) return;
    this.isReported = true;
    this.report({ kind: "budget", at, limit: "max_total_visits", used, allowed });
  }
}
