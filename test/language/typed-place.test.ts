import { expect, it } from "vitest";
import { typedPlaceAt } from "../../src/language/half-typed.js";

/** The place of `|>` in a text, shortly. */
function placeIn(marked: string) {
  const offset = marked.indexOf("|>");
  const text = marked.replace("|>", "");
  const format = marked.startsWith("{") ? "json" : "yaml";
  const { path, expects, before, word, quote, siblings, unfinished } = typedPlaceAt(text, offset, format);
  return {
    at: `${path.join("/")} ${expects}`,
    typed: `${quote}${before}|${text.slice(offset, word.end)}`,
    siblings: [...siblings].map(([key, value]) => `${key}=${value}`).join(),
    rest: text.slice(0, unfinished.start) + text.slice(unfinished.end),
  };
}

it.each([
  ["", "|>", " either", "|"],
  ["pro", "pro|>", " either", "pro|"],
  ["a word in the middle", "pro|>mpts:\n  a: b", " either", "pro|mpts"],
  ["a value", "workflow:\n  entry: he|>llo", "workflow/entry value", "he|llo"],
  ["a value in quotes", "workflow:\n  entry: 'he|>llo'", "workflow/entry value", "'he|llo"],
  ["no value yet", "workflow:\n  entry: |>", "workflow/entry value", "|"],
  ["a key below", "workflow:\n  states:\n    a:\n      pro|>", "workflow/states/a either", "pro|"],
  ["an empty line", "workflow:\n  states:\n    a:\n      |>\n", "workflow/states/a either", "|"],
  ["an empty line, less indented", "workflow:\n  states:\n    a: {}\n  |>\n", "workflow either", "|"],
  ["an item", "prompts:\n  a:\n    tools:\n      - lo|>", "prompts/a/tools/* either", "lo|"],
  ["an item below its key", "prompts:\n  a:\n    tools:\n    - lo|>", "prompts/a/tools/* either", "lo|"],
  ["a key of an item", "a:\n- id: x\n  ki|>", "a/* either", "ki|"],
  ["a first key of an item", "a:\n  - id: x\n  - ki|>: y", "a/* either", "ki|"],
  ["items of items", "a:\n  - - x: |>", "a/*/*/x value", "|"],
  ["a text", "a:\n  t: |\n    Foo:\n      bar {{x|>", "a/t value", "bar {{x|"],
  ["after a text", "a:\n  t: |\n    Foo:\n      bar\n  n|>", "a either", "n|"],
  ["a text in quotes", 'a:\n  t: "one\n    two: {{x|>"', "a/t value", "two: {{x|"],
  ["a plain text", "a:\n  t: one\n    two {{x|>", "a/t value", "two {{x|"],
  ["a quoted key", "'a b':\n  \"c\": |>", "a b/c value", "|"],
  ["braces", "a: { x: 1, y|> }", "a key", "y|"],
  ["a value in braces", "a: { x: 1, y: z|> }", "a/y value", "z|"],
  ["a list in braces", "a: { x: [ b, c|>", "a/x/* value", "c|"],
  ["braces in braces", "a:\n  - { x: { y: 1 }, z: { q|>", "a/*/z key", "q|"],
  ["lines of braces", "a:\n  b: {\n    x: 1,\n    y: |>\n  }", "a/b/y value", "|"],
  ["after braces", "a:\n  b: { x: 1 }\n  c|>", "a either", "c|"],
  ["behind braces", "a: { x: 1 } |>", "a value", "{ x: 1 } |"],
  ["a brace in quotes", 'a: { x: "}", y: "{{w|>', "a/y value", '"{{w|'],
  ["a key of JSON", '{ "a": 1, "b|>" }', " key", '"b|'],
  ["an open key of JSON", '{ "a": 1,\n  "b|>\n}', " key", '"b|'],
  ["a value of JSON", '{"a":{"b":"c|>"}}', "a/b value", '"c|'],
  ["an item of JSON", '{"a":[{"b":"}"},|>]}', "a/* value", "|"],
  ["nothing in JSON", '{"a":{|>', "a key", "|"],
])("finds %s", (_, marked, at, typed) => {
  expect(placeIn(marked)).toMatchObject({ at, typed });
});

it.each([
  ["a:\n  x: 1\n  |>\n  y: 2\n  z:\n    q: 3\nb: 4", "x=1,y=2,z="],
  [
    "a:\n  - id: one\n    kind: tool\n  - id: two\n    |>\n    kind: agent\n  - id: three",
    "id=two,kind=agent",
  ],
  ["a:\n  - |>\n    kind: agent", "kind=agent"],
  ["a:\n  t: |\n    x: 1\n  |>", "t=|"],
  ["a: { x: 1, |>, y: 'q' }", "x=1,y=q"],
  ['{ "a": { "z": 1 }, "x": "1", |> "y": [ { "q": 2 } ] }', "a=,x=1,y="],
  ["b: 4\n|>\nc:\n  d: 5", "b=4,c="],
])("knows the keys beside %j", (marked, siblings) => {
  expect(placeIn(marked).siblings).toBe(siblings);
});

it.each([
  ["a:\n  b: x\n  pro|>\nc: d", "a:\n  b: x\n\nc: d"],
  ["a:\n  pro|>mpts:\n    b: x", "a:\n  prompts:\n    b: x"],
  ["a: { x: 1, y|> }\nb: c", "a: { x: 1,}\nb: c"],
  ["a: { y|>, x: 1 }\nb: c", "a: { x: 1 }\nb: c"],
  ['{ "a": 1,\n  "b|>\n  "c": 2 }', '{ "a": 1,\n\n  "c": 2 }'],
  ['{ "a|>": {\n "b": 1 } }', '{ "a": {\n "b": 1 } }'],
  ['{"a":"b|>","c":1}', '{"c":1}'],
  ["t: |\n  one\n  two {{|>\n  three", "t: |\n  one\n\n  three"],
])("leaves the rest of %j readable", (marked, rest) => {
  expect(placeIn(marked).rest).toBe(rest);
});

it("takes time linear in the length of a hostile line", () => {
  for (const part of [" ", "a ", "- ", "{", "[", '"', "'", "''", "{a: ", "a:", ": "]) {
    const line = part.repeat(200_000 / part.length);
    expect(placeIn(`a:\n  ${line}\n  b|>`).typed).toMatch(/\|/u);
    expect(placeIn(`a:\n  ${line}|>`).typed).toMatch(/\|/u);
  }
});
