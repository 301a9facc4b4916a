import { readJson } from "../document/json/read-json.js";
import { defaultLimits } from "../document/file-format.js";
import { buildMachine, DANGLING, type Reading, rfcReading } from "../machine/machine.js";
import { type Pack, readPack } from "../pack/pack.js";
import type { Workflow } from "../pack/workflow.js";
import { readingOf, type Runtime } from "../runtimes/runtime.js";
import { resolveSpec } from "../schema/spec-version.js";
import { startState } from "../simulate/drive-simulation.js";
import type { ScriptedEvent } from "../simulate/event-list.js";
import { recordJson, Simulation } from "../simulate/simulation.js";

/** What a state does, and the event that then happens. */
export interface VectorEvent {
  readonly event: string;
  readonly artifacts?: Readonly<Record<string, string>>;
  readonly toolCalls?: number;
  readonly seconds?: number;
}

/** A pack, and what happens in a run of it. */
export interface Scene {
  readonly name: string;
  /** Of an RFC, in our words; it is open if it leaves room for another reading. */
  readonly sentence?: { readonly source: string; readonly says: string; readonly isOpen: boolean };
  readonly pack: object;
  readonly agent?: string | undefined;
  readonly events: readonly VectorEvent[];
  /** The artifacts that the state in which the run is complete writes. */
  readonly output?: Readonly<Record<string, string>> | undefined;
}

export interface Played {
  /** How many of the events could be sent. */
  readonly sent: number;
  /** As `schema/run-record.schema.json` describes it. */
  readonly record: readonly object[];
}

export function openPack(pack: object): { readonly pack: Pack; readonly workflow: Workflow } {
  const document = readJson(JSON.stringify(pack), defaultLimits);
  const root = document.root?.kind === "mapping" ? document.root : undefined;
  const opened = root && readPack(document, root, resolveSpec(root));
  if (opened?.workflow === undefined) throw new Error("the pack has no workflow");
  return { pack: opened, workflow: opened.workflow };
}

export function startRun(pack: object, agent: string | undefined, reading: Reading): Simulation {
  const opened = openPack(pack);
  return new Simulation({
    ...opened,
    machine: buildMachine(opened.workflow, reading),
    startState: startState(opened.pack, opened.workflow, agent).index,
    budget: opened.workflow.budget,
    agent,
    variables: [],
    render: false,
  });
}

/** Sends the events until the run ends, or until one cannot happen where it is. */
export function play({ pack, agent, events, output = {} }: Scene, reading: Reading): Played {
  const run = startRun(pack, agent, reading);
  const declares = (artifacts: object): boolean =>
    Object.keys(artifacts).every((name) => run.declaredArtifacts.has(name));
  const write = (artifacts: Readonly<Record<string, string>>): void => {
    for (const [name, value] of Object.entries(artifacts)) run.setArtifact(name, value);
  };
  let sent = 0;
  for (const { event, artifacts = {}, toolCalls = 0, seconds = 0 } of events) {
    const number = run.eventsByName.get(event) ?? DANGLING;
    if (run.status !== "running" || number === DANGLING || !declares(artifacts)) break;
    write(artifacts);
    run.spend({ toolCalls, seconds });
    run.fire(number);
    sent++;
  }
  if (sent === events.length && run.status === "complete" && declares(output)) write(output);
  return { sent, record: [run.start, ...run.transitions, run.end].map(recordJson) };
}

/** One line of what `vectors` writes, described by `schema/vector.schema.json`. */
export function vectorJson(scene: Scene, runtimes: readonly Runtime[]): object {
  const { name, sentence, pack, agent, events, output } = scene;
  const { record } = play(scene, rfcReading);
  const others = runtimes.flatMap((runtime) => {
    const reading = readingOf(runtime);
    return reading === undefined ? [] : [[runtime.name, play(scene, reading)] as const];
  });
  return {
    schemaVersion: 1,
    name,
    sentence,
    pack,
    agent,
    events,
    output,
    record,
    runtimes: others.length === 0 ? undefined : Object.fromEntries(others),
  };
}

export function eventOf({ event, assignments, spending: [spent] }: ScriptedEvent): VectorEvent {
  return {
    event,
    ...(assignments.length > 0 && {
      artifacts: Object.fromEntries(assignments.map(({ name, value }) => [name, value])),
    }),
    ...(spent && (spent.toolCalls > 0 ? { toolCalls: spent.toolCalls } : { seconds: spent.seconds })),
  };
}

export interface PackParts {
  readonly entry: string;
  readonly states: Readonly<Record<string, object>>;
  readonly engine?: object | undefined;
  readonly version?: number | undefined;
  /** The state of each agent; null for one that runs its prompt. */
  readonly agents?: Readonly<Record<string, string | null>> | undefined;
}

/** Every state runs the prompt `work`. */
export function packOf(id: string, { entry, states, engine, version = 2, agents }: PackParts): object {
  const members = Object.entries(agents ?? {});
  const prompt = (name: string) =>
    [name, { id: name, name, version: "1.0.0", system_template: "Work, then send an event." }] as const;
  return {
    id,
    name: id,
    version: "1.0.0",
    template_engine: { version: "v1", syntax: "{{variable}}" },
    prompts: Object.fromEntries(["work", ...members.map(([name]) => name)].map(prompt)),
    workflow: {
      version,
      entry,
      states: Object.fromEntries(
        Object.entries(states).map(([name, state]) => [name, { prompt_task: "work", ...state }]),
      ),
      engine,
    },
    ...(members.length > 0 && {
      agents: {
        entry: members[0]?.[0],
        members: Object.fromEntries(members.map(([name, state]) => [name, state === null ? {} : { state }])),
      },
    }),
  };
}
