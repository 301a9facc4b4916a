import type { Step } from "../../composition/composition.js";
import { type Queued, undeclaredArtifact, unknownEventMessage } from "../../simulate/drive-simulation.js";
import { parseAssignment, parseSpending, parseYesOrNo, type Spending } from "../../simulate/event-list.js";
import {
  formatEnding,
  promptText,
  questionText,
  refusedText,
  stateScreen,
  walkLines,
} from "../../simulate/run-text.js";
import type { Simulation } from "../../simulate/simulation.js";
import { escapeInvisible } from "../../text/escape.js";
import type { Paint } from "../../text/paint.js";
import { BadInput, pluralize } from "../../text/wording.js";
import { type Io, type Output, printMessage, readLines } from "../terminal/io.js";

const helpLines = [
  "a number or an event   send the event",
  "yes, no                answer a branch of the composition; an empty line means yes",
  "set name=value         fill an artifact of this state",
  "tools 3, seconds 20    what this state uses up of the budget",
  "render                 show the prompt with everything filled in",
  "back                   undo the last step",
  "quit                   end here and print the run",
];

/** Each line may add a step to undo, so endless input would fill the memory. */
const maxInputLines = 10_000;

export class Conversation {
  private asking: Step | undefined;

  constructor(
    private readonly io: Io,
    /** Standard error if standard output is for a program. */
    private readonly output: Output,
    private readonly queued: Queued,
    private readonly paint: Paint,
    private simulation: Simulation,
  ) {}

  async run(): Promise<Simulation> {
    let lines = 0;
    this.show();
    for await (const line of readLines(this.io.stdin)) {
      if (!this.handleLine(line.trim()) || this.output.isLost === true) return this.simulation;
      if (++lines === maxInputLines) {
        printMessage(this.io, `Only the first ${maxInputLines} lines were read.`);
        break;
      }
    }
    this.output.write("\n\n");
    return this.simulation;
  }

  private handleLine(line: string): boolean {
    // Unlike a terminal, a pipe does not echo what is typed.
    if (this.output.isTTY !== true) this.output.write(`${escapeInvisible(line)}\n`);
    if (line === "quit" || line === "q") {
      this.output.write("\n");
      return false;
    }
    if (this.answer(line)) return true;
    const fill = /^set(?:\s+(.*))?$/su.exec(line);
    const spending = parseSpending(line);
    if (fill !== null) this.set(fill[1] ?? "");
    else if (spending !== undefined) this.spend(spending);
    else if (line === "back" || line === "b") this.back();
    else if (line === "render") this.print(promptText(this.simulation, this.paint));
    else if (line === "help" || line === "?") this.print(helpLines.map((text) => `  ${text}\n`).join(""));
    else if (line === "") this.prompt();
    else this.fire(line);
    return true;
  }

  private show(): void {
    const { simulation } = this;
    const { render } = simulation.setting;
    // A terminal that does not know its width says 0.
    const width = this.output.columns || undefined;
    if (simulation.status === "running") {
      this.output.write(stateScreen(simulation, width ?? 80, this.paint));
      if (render) this.output.write(`\n${promptText(simulation, this.paint)}`);
    } else {
      this.output.write(`\n${formatEnding(simulation, this.paint, width ?? Infinity)}\n`);
    }
    this.ask();
  }

  /** Asks for the next answer that the composition of the state needs; when there is none, shows what it does. */
  private ask(): void {
    const { simulation } = this;
    this.queued.answerIn(simulation);
    const { walk, isAlive } = simulation;
    this.asking = isAlive ? walk?.asked.find(({ id }) => !simulation.turn.answers.has(id.text)) : undefined;
    if (this.asking === undefined && walk !== undefined)
      this.output.write(walkLines(walk, this.output.columns || 80, this.paint));
    this.prompt();
  }

  private answer(line: string): boolean {
    const isYes = line === "" ? true : parseYesOrNo(line);
    if (this.asking === undefined || isYes === undefined) return false;
    this.simulation.turn.answers.set(this.asking.id.text, isYes);
    this.ask();
    return true;
  }

  private prompt(): void {
    const { status, declaredArtifacts } = this.simulation;
    if (this.asking !== undefined)
      return void this.output.write(`${questionText(this.asking)} ${this.paint.dim("(yes)")} > `);
    const choices =
      status === "complete" && declaredArtifacts.size > 0 ? "set, back, or quit" : "back, or quit";
    this.output.write(status === "running" ? "> " : `${this.paint.dim(choices)} > `);
  }

  private print(text: string): void {
    this.output.write(text);
    this.prompt();
  }

  private warn(sentence: string): void {
    this.print(`${this.paint.severity.warning(escapeInvisible(sentence))}\n`);
  }

  private fire(line: string): void {
    const { simulation } = this;
    if (simulation.status !== "running") return this.warn("The run has ended.");
    const number = /^\d{1,6}$/u.test(line) ? simulation.events[Number(line) - 1] : undefined;
    const event = number ?? simulation.eventsByName.get(line);
    if (event === undefined)
      return this.warn(`${unknownEventMessage(simulation, line)} Type "help" for the commands.`);
    this.queued.writeTo(simulation);
    simulation.fire(event);
    const refused = refusedText(simulation, simulation.transitions.at(-1));
    if (refused !== undefined) return this.warn(refused);
    this.show();
  }

  private spend(spending: Spending): void {
    const { simulation } = this;
    if (simulation.status !== "running") return this.warn("The run has ended.");
    simulation.spend(spending);
    const { toolCalls, seconds } = simulation.spent;
    const used = `${pluralize(toolCalls, "tool call")} and ${pluralize(seconds, "second")} so far`;
    this.print(simulation.isBudgetSpent ? `${used}: the budget is used up.\n` : `${used}.\n`);
  }

  private set(text: string): void {
    const { simulation } = this;
    // A state that ends the run still runs its prompt.
    if (!simulation.isAlive) return this.warn("The run has ended.");
    try {
      const { name, value } = parseAssignment(text);
      const wrong = undeclaredArtifact(simulation, [{ name, value }]);
      if (wrong !== undefined) return this.warn(wrong);
      simulation.setArtifact(name, value);
      const leaves = `will be filled when the run leaves "${escapeInvisible(simulation.current.name)}"`;
      const when = simulation.status === "complete" ? "is part of the output" : leaves;
      this.print(`${escapeInvisible(name)} ${when}.\n`);
    } catch (error) {
      if (!(error instanceof BadInput)) throw error;
      this.warn(error.message);
    }
  }

  private back(): void {
    const earlier = this.simulation.undone();
    if (earlier === undefined) return this.warn("There is nothing to undo: the run is at its start.");
    this.simulation = earlier;
    this.show();
  }
}
