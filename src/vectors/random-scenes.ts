import { rfcReading } from "../machine/machine.js";
import { SeededRandom } from "../simulate/drive-simulation.js";
import { packOf, type Scene, startRun, type VectorEvent } from "./vector.js";

const stateNames = ["ask", "plan", "build", "test", "review", "report"];
const eventNames = ["Ready", "Failed", "Done"];
/** An artifact has the same mode wherever it is declared. */
const artifacts = {
  note: { type: "text/plain" },
  log: { type: "text/plain", mode: "append" },
  found: { type: "application/json", mode: "append" },
};
const maxEvents = 12;

/** Small workflows, and a run of each: the same for the same seed. */
export function* randomScenes(count: number, seed: number): Generator<Scene> {
  const random = new Dice(seed);
  for (let number = 1; number <= count; number++) yield randomScene(`random-${seed}-${number}`, random);
}

class Dice extends SeededRandom {
  isBelow(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError("nothing to pick from");
    return item;
  }

  some<Item>(items: readonly Item[], percent: number): readonly Item[] {
    return items.filter(() => this.isBelow(percent));
  }
}

function randomScene(name: string, random: Dice): Scene {
  const names = stateNames.slice(0, 2 + random.below(stateNames.length - 1));
  const states = Object.fromEntries(names.map((each) => [each, randomState(names, random)]));
  const engine = random.isBelow(30) ? { budget: randomBudget(random) } : undefined;
  const agents = random.isBelow(30) ? { helper: random.pick(names), writer: null } : undefined;
  const entry = names[0] ?? "";
  const pack = packOf(name, { entry, states, engine, agents });
  const agent = agents !== undefined && random.isBelow(50) ? "helper" : undefined;
  return { name, pack, agent, ...randomRun(pack, agent, random) };
}

function randomState(names: readonly string[], random: Dice): object {
  const held = Object.entries(artifacts).filter(() => random.isBelow(25));
  const declared = held.length > 0 && { artifacts: Object.fromEntries(held) };
  if (random.isBelow(15)) return { terminal: true, ...declared };
  const events = random.some(eventNames, 70).map((event) => [event, random.pick(names)] as const);
  const isGuarded = random.isBelow(60);
  return {
    ...(isGuarded && { max_visits: 1 + random.below(3) }),
    ...(isGuarded && random.isBelow(75) && { on_max_visits: random.pick(names) }),
    ...declared,
    on_event: Object.fromEntries(events),
  };
}

function randomBudget(random: Dice): object {
  const most = {
    max_total_visits: 3 + random.below(8),
    max_tool_calls: 1 + random.below(6),
    max_wall_time_sec: 10,
  };
  return Object.fromEntries(random.some(Object.entries(most), 50));
}

function randomRun(pack: object, agent: string | undefined, random: Dice): Pick<Scene, "events" | "output"> {
  const run = startRun(pack, agent, rfcReading);
  const writes = () => {
    const held = random.some([...run.declaredArtifacts.keys()], 60);
    return held.map((name) => [
      name,
      name === "found" ? `{"n":${random.below(10)}}` : `v${random.below(10)}`,
    ]);
  };
  const events: VectorEvent[] = [];
  while (run.status === "running" && events.length < maxEvents) {
    const number = random.pick(run.events);
    const written = writes();
    const event = {
      event: run.current.edges[number]?.event ?? "",
      ...(written.length > 0 && { artifacts: Object.fromEntries(written) as Record<string, string> }),
      ...(random.isBelow(20) && { toolCalls: 1 + random.below(3) }),
      ...(random.isBelow(20) && { seconds: 1 + random.below(10) }),
    };
    events.push(event);
    run.spend({ toolCalls: 0, seconds: 0, ...event });
    run.fire(number);
  }
  const output = run.status === "complete" ? (Object.fromEntries(writes()) as Record<string, string>) : {};
  return { events, output: Object.keys(output).length > 0 ? output : undefined };
}
