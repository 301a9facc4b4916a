import { expect, it } from "vitest";
import { Analysis } from "../../src/analysis.js";
import { readDocument } from "../../src/document/read.js";
import { ArtifactFlow } from "../../src/machine/artifact-flow.js";
import type { Facts } from "../../src/machine/facts.js";
import type { ArtifactRead, ArtifactUse, Declaration } from "../../src/pack/artifact-use.js";
import type { State } from "../../src/pack/workflow.js";

const many = 1_000;
const list = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

it.each([
  ["declared by one state", () => [7]],
  ["declared by two", () => [7, 8]],
])("many reads of artifacts that are %s look at each of their readers a few times", (_, setters) => {
  let looked = 0;
  const states = list(many, (number) => {
    return {
      get index() {
        looked++;
        return number;
      },
    } as State;
  });
  const nothing: ReadonlySet<number> = new Set();
  const facts = { entered: new Set(states.keys()), statesAfter: () => nothing } as unknown as Facts;
  const reads = list(
    many,
    (name) => ({ name: `a${name}`, readers: [{ states }], certain: true }) as unknown as ArtifactRead,
  );
  const flow = new ArtifactFlow(facts, { reads } as unknown as ArtifactUse);
  for (const read of reads) {
    const declarations = setters().map((state) => ({ state: states[state] }) as Declaration);
    const readers = flow.readersOf(read);
    expect(flow.couldFollowIfDeclared(read.name, readers, declarations)).toBe(false);
  }
  expect(looked).toBeLessThan(20 * many);
});

it("every artifact that is never set is found, however many there are", () => {
  const states = list(300, (index) => [
    `s${index}`,
    {
      prompt_task: `p${index}`,
      artifacts: { [`a${index}`]: { type: "text/plain" } },
      ...(index < 299 ? { on_event: { Go: `s${index + 1}` } } : { terminal: true }),
    },
  ]);
  const prompts = list(300, (index) => [`p${index}`, { system_template: `{{artifacts.a${index}}}` }]);
  const text = JSON.stringify({
    prompts: Object.fromEntries(prompts) as unknown,
    workflow: { version: 2, entry: "s0", states: Object.fromEntries(states) as unknown },
  });
  const found = new Analysis("", readDocument(text, "json")).lint({}).kept;
  expect(found.filter(({ rule }) => rule === "artifact-never-set")).toHaveLength(300);
});

it.each([
  [99, true],
  [100, false],
])("a state that lacks %i artifacts is offered their declarations: %s", (lacking, isOffered) => {
  const names = list(lacking, (index) => `a${index}`);
  const artifacts = Object.fromEntries(names.map((name) => [name, { type: "text/plain" }]));
  const text = JSON.stringify({
    prompts: { p: { system_template: names.map((name) => `{{artifacts.${name}}}`).join(" ") } },
    workflow: {
      version: 2,
      entry: "first",
      states: {
        first: { prompt_task: "p", on_event: { Go: "last" } },
        last: { prompt_task: "p", artifacts, terminal: true },
      },
    },
  });
  const found = new Analysis("", readDocument(text, "json")).lint({}).kept;
  expect(
    found.filter(({ rule }) => rule === "artifact-not-in-state").map(({ fix }) => fix !== undefined),
  ).toEqual([isOffered]);
});
