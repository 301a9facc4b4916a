/** A pack without a single finding, as an object to be changed. */
export function cleanPack() {
  return {
    id: "greeter",
    name: "Greeter",
    version: "1.0.0",
    template_engine: { version: "v1", syntax: "{{variable}}" },
    prompts: {
      greet: {
        id: "greet",
        name: "Greet",
        version: "1.0.0",
        system_template: "Greet the user, then emit Done.",
      },
      bye: { id: "bye", name: "Bye", version: "1.0.0", system_template: "Say goodbye." },
    },
    workflow: {
      version: 2,
      entry: "hello",
      states: {
        hello: { prompt_task: "greet", on_event: { Done: "end" } },
        end: { prompt_task: "bye", terminal: true },
      },
    },
  };
}

export const clean = JSON.stringify(cleanPack(), null, 2);

/** One error: `unknown-entry` at 25:14. */
export const badEntry = clean.replace('"entry": "hello"', '"entry": "helo"');

/** One warning: `prompt-id-differs` at 17:13. */
export const otherId = clean.replace('"id": "bye"', '"id": "by"');

/** One info: `event-name-case`. */
export const oddEvent = clean.replace("emit Done", "emit done").replace('"Done": "end"', '"done": "end"');

/** The same in YAML, with an error in line 16 and an info in line 21. */
export const yamlPack = `id: greeter
name: Greeter
version: 1.0.0
template_engine: { version: v1, syntax: "{{variable}}" }
prompts:
  greet:
    id: greet
    name: Greet
    version: 1.0.0
    system_template: Greet the user, then emit done.
  bye: { id: bye, name: Bye, version: 1.0.0, system_template: Say goodbye. }
workflow:
  version: 2
  # the door
  #
  entry: helo
  states:
    hello:
      prompt_task: greet
      on_event:
        done: end
    end: { prompt_task: bye, terminal: true }
`;

/** One error: `unknown-entry`, with the advice that `greet` is a prompt of the state `hello`. */
export const promptAsEntry = clean.replace('"entry": "hello"', '"entry": "greet"');

/** The same error, with other advice: the state `hi` runs that prompt as well. */
export const promptOfTwoAsEntry = promptAsEntry.replace(
  '"end": {',
  '"hi": { "prompt_task": "greet", "on_event": { "Done": "end" } }, "end": {',
);

/** A schema with one property. */
export const closedSchema = '{ "properties": { "intent": {} }, "additionalProperties": false }';

/** A pack that reads a field which the schema at this path does not have. */
export function packWithSchema(path: string): string {
  const steps = [
    { id: "classify", kind: "prompt", prompt_task: "p", output_schema: path },
    { id: "answer", kind: "prompt", prompt_task: "p", input: "${classify.output.mood}" },
  ];
  const prompt = { id: "p", name: "P", version: "1.0.0", system_template: "Answer." };
  return JSON.stringify({
    ...{
      id: "desk",
      name: "Desk",
      version: "1.0.0",
      template_engine: { version: "v1", syntax: "{{variable}}" },
    },
    ...{ prompts: { p: prompt }, compositions: { triage: { version: 1, steps } } },
  });
}
