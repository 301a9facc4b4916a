import type { Place } from "../diagnostic.js";
import type { Whole } from "../document/spelled-values.js";
import type { Note } from "./deviation.js";
import type { Ground } from "./recorded-run.js";

/** Holds the entries of all states against `max_total_visits`, where budgets count. */
export class BudgetWatch {
  private readonly allowed: Whole | undefined;
  private isOver = false;

  constructor(
    { budget, workflow }: Ground,
    private readonly note: Note,
  ) {
    this.allowed = budget ? workflow.budget?.maxTotalVisits : undefined;
  }

  allows(total: number): boolean {
    return this.allowed === undefined || total <= this.allowed.value;
  }

  /** Only the first entry past the budget is told. */
  check(at: Place, used: number): void {
    const { allowed } = this;
    if (allowed === undefined || this.allows(used) || this.isOver) return;
    this.isOver = true;
    this.note({ kind: "budget", at, limit: "max_total_visits", used, allowed });
  }
}
