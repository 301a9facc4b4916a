import { type Components, components } from "../graph/components.js";
import { configurationsByState, type Exploration } from "./explore.js";
import type { Machine } from "./machine.js";
import { StatesAfter } from "./states-after.js";
import { StatesAhead } from "./states-ahead.js";
import { Witnesses } from "./witness.js";
import { WorstCases } from "./worst-case.js";

/** What questions on an exploration are answered with, each made when it is first needed. */
export class ExplorationTools {
  private readonly made: {
    parts?: Components;
    witnesses?: Witnesses;
    worstCases?: WorstCases;
    ahead?: StatesAhead;
    after?: StatesAfter;
    byState?: readonly (readonly number[])[];
  } = {};

  constructor(
    private readonly machine: Machine,
    private readonly exploration: Exploration,
  ) {}

  get parts(): Components {
    return (this.made.parts ??= components(this.exploration.graph));
  }

  get witnesses(): Witnesses {
    return (this.made.witnesses ??= new Witnesses(this.machine, this.exploration));
  }

  get worstCases(): WorstCases {
    return (this.made.worstCases ??= new WorstCases(this.exploration, this.parts, this.byState));
  }

  get ahead(): StatesAhead {
    this.made.ahead ??= new StatesAhead(this.machine.states.length, this.exploration, this.parts);
    return this.made.ahead;
  }

  get after(): StatesAfter {
    this.made.after ??= new StatesAfter(this.machine.states.length, this.exploration.graph, (from) =>
      this.ahead.after(new Set(from)),
    );
    return this.made.after;
  }

  /** The configurations of each state. */
  get byState(): readonly (readonly number[])[] {
    return (this.made.byState ??= configurationsByState(this.machine.states.length, this.exploration));
  }
}
