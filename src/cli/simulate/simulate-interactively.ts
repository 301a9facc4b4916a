import { readAssignment } from "../../simulate/event-list.js";
import { undeclaredArtifactWords, unknownEvent, type WaitingValues } from "../../simulate/follow-events.js";
import type { Simulation } from "../../simulate/simulation.js";
import { stateScreen } from "../../simulate/state-screen.js";
import type { Paint } from "../../text/paint.js";
import { visible } from "../../text/visible-text.js";
import { BadInput } from "../../words/bad-input.js";
import type { Io, Output } from "../terminal/io.js";
import { readLines } from "../terminal/read-lines.js";
import { say } from "../terminal/say.js";
import type { SimulationSetting } from "./simulation-setting.js";
import { paintedEnding, promptText } from "./simulation-text.js";

export interface Session {
  readonly io: Io;
  /** Where the conversation goes: a format for programs keeps standard output for itself. */
  readonly output: Output;
  readonly simulation: Simulation;
  readonly setting: SimulationSetting;
  readonly waiting: WaitingValues;
  readonly paint: Paint;
}

const help = [
  "a number or an event   send the event",
  "set name=value         fill an artifact of this state",
  "render                 show the prompt with everything filled in",
  "back                   undo the last step",
  "quit                   end here and print the run",
];

/** Every line may be one step more to go back to: nobody types so many, but a program might for ever. */
const mostLines = 10_000;

/** Asks for the events one by one, until the input ends or says `quit`, or nobody listens any more. */
export async function simulateInteractively(session: Session): Promise<void> {
  const { io, output } = session;
  const conversation = new Conversation(session);
  let lines = 0;
  conversation.show();
  for await (const line of readLines(io.stdin)) {
    if (!conversation.answer(line.trim()) || output.isLost === true) return;
    if (++lines === mostLines) {
      say(io, `Only the first ${mostLines} lines were read.`);
      break;
    }
  }
  conversation.leave();
}

class Conversation {
  constructor(private readonly session: Session) {}

  private get paint(): Paint {
    return this.session.paint;
  }

  /** Returns false when it is over. */
  answer(line: string): boolean {
    // A terminal shows what is typed; elsewhere the conversation should read the same.
    if (this.session.output.isTTY !== true) this.write(`${visible(line)}\n`);
    if (line === "quit" || line === "q") {
      this.write("\n");
      return false;
    }
    const fill = /^set(?:\s+(.*))?$/su.exec(line);
    if (fill !== null) this.set(fill[1] ?? "");
    else if (line === "back" || line === "b") this.back();
    else if (line === "render")
      this.say(promptText(this.session.simulation, this.session.setting, this.paint));
    else if (line === "help" || line === "?") this.say(help.map((text) => `  ${text}\n`).join(""));
    else if (line === "") this.ask();
    else this.fire(line);
    return true;
  }

  show(): void {
    const { simulation, setting } = this.session;
    // A terminal that does not know its width says 0.
    const width = this.session.output.columns || undefined;
    if (simulation.status === "running") {
      const state = setting.workflow.states[simulation.current.index];
      this.write(stateScreen(simulation, state, setting.render ? undefined : 3, width ?? 80, this.paint));
      if (setting.render) this.write(`\n${promptText(simulation, setting, this.paint)}`);
    } else {
      this.write(`\n${paintedEnding(simulation, this.paint, width ?? Infinity)}\n`);
    }
    this.ask();
  }

  leave(): void {
    this.write("\n\n");
  }

  private ask(): void {
    const running = this.session.simulation.status === "running";
    this.write(running ? "> " : this.paint.faint("back, or quit") + " > ");
  }

  private say(text: string): void {
    this.write(text);
    this.ask();
  }

  private complain(sentence: string): void {
    this.say(`${this.paint.severity.warning(visible(sentence))}\n`);
  }

  private fire(line: string): void {
    const { simulation, waiting } = this.session;
    if (simulation.status !== "running") return this.complain("The run has ended.");
    const number = /^\d{1,6}$/u.test(line) ? simulation.events[Number(line) - 1] : undefined;
    const event = number ?? simulation.eventNamed(line);
    if (event === undefined)
      return this.complain(`${unknownEvent(simulation, line)} Type "help" for the commands.`);
    waiting.fill(simulation, simulation.pending);
    simulation.fire(event);
    this.show();
  }

  private set(text: string): void {
    const { simulation } = this.session;
    if (simulation.status !== "running") return this.complain("The run has ended.");
    try {
      const { name, value } = readAssignment(text);
      if (!simulation.declared.has(name))
        return this.complain(undeclaredArtifactWords(simulation.current, simulation.options, name));
      simulation.set(name, value);
      this.say(
        `${visible(name)} will be filled when the run leaves "${visible(simulation.current.name)}".\n`,
      );
    } catch (error) {
      if (!(error instanceof BadInput)) throw error;
      this.complain(error.message);
    }
  }

  private back(): void {
    if (this.session.simulation.back()) this.show();
    else this.complain("There is nothing to undo: the run is at its start.");
  }

  private write(text: string): void {
    this.session.output.write(text);
  }
}
