/** A pack whose entry runs a composition with a branch and a parallel; valid at 1.9. */
export const triage = `id: desk
name: Desk
version: 1.0.0
template_engine: { version: v1, syntax: "{{variable}}" }
requires:
  providers:
    - fast
    - { key: judge, role: llm, required: false }
    - { key: voice, role: tts }
evals:
  - { id: polite, type: llm_judge, trigger: every_turn, params: {} }
tools:
  orders: { name: orders, description: Lists orders., parameters: { type: object, properties: {} } }
  stock: { name: stock, description: Counts goods., parameters: { type: object, properties: {} } }
prompts:
  classify: { id: classify, name: Classify, version: 1.0.0, provider: fast, system_template: "Classify {{input}}." }
  answer: { id: answer, name: Answer, version: 1.0.0, tools: [orders], system_template: "Answer {{input}}." }
  close: { id: close, name: Close, version: 1.0.0, system_template: "Say goodbye." }
compositions:
  triage:
    version: 1
    output: reply
    steps:
      - { id: kind, kind: prompt, prompt_task: classify, input: "\${input.text}", output_schema: ./kind.json }
      - id: route
        kind: branch
        predicate: { path: "\${kind.output.intent}", op: equals, value: refund }
        then: facts
        else: ask
      - id: facts
        kind: parallel
        branches:
          - { id: bought, kind: tool, tool: orders, args: { of: "\${input.customer}" } }
          - { id: left, kind: tool, tool: stock }
        reduce: { strategy: barrier, into: all }
      - { id: ask, kind: prompt, prompt_task: answer, provider: judge }
      - id: reply
        kind: agent
        prompt_task: answer
        depends_on: [facts, ask]
        tools: [orders]
        termination: { max_steps: 4 }
        modifiers: { eval: [polite] }
workflow:
  version: 1
  entry: intake
  states:
    intake: { orchestration: composition, composition: triage, max_visits: 3, on_max_visits: done, on_event: { Solved: done, Again: intake } }
    done: { prompt_task: close, terminal: true }
`;
