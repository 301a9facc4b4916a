import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { allRuntimes } from "../../src/runtimes/index.js";
import type { CheckParameters, CheckTypes, Fact, RuntimeFacts } from "../../src/runtimes/runtime.js";
import { topics } from "../../src/runtimes/topics.js";
import { appendTo } from "../../src/text/collections.js";
import { expectFile } from "../expected-file.js";

const path = "docs/runtimes.md";
const cell = (text: string): string => text.replaceAll("|", "\\|");
const code = (name: string): string => `\`${name}\``;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

const linkOf = (rule: string): readonly string[] =>
  existsSync(`docs/rules/${rule}.md`) ? [`[\`${rule}\`](rules/${rule}.md)`] : [];

function factTable(): string {
  const head = allRuntimes.map(({ title, version, readIn }) =>
    version === readIn ? `${title}, ${version}` : `${title}, ${version} (read in ${readIn})`,
  );
  const rows = Object.entries(topics).map(([name, [topic, ...rules]]) => {
    const facts = allRuntimes.map((runtime) => {
      const fact: Fact<unknown> | undefined = runtime.facts[name as keyof RuntimeFacts];
      return fact === undefined ? "" : cell(fact.says) + (fact.learned === "run" ? " _run_" : "");
    });
    return [topic, ...facts, rules.flatMap(linkOf).join(", ")];
  });
  return table(["fact", ...head, "rules"], rows);
}

function checkTypes(title: string, types: CheckTypes, parameters: CheckParameters): string {
  const byParameter = new Map<string, string[]>();
  const unread: string[] = [];
  for (const type of [...types.known].sort()) {
    const read = parameters.get(type);
    if (read === undefined) unread.push(code(type));
    else appendTo(byParameter, `${read.names.map(code).join(" or ")} | ${read.is}`, code(type));
  }
  const rows = [...byParameter].map(([parameter, names]) => [names.join(", "), parameter]);
  const others = unread.length === 0 ? "" : `\n\nOther types: ${unread.join(", ")}.`;
  return `### Types of checks that ${title} knows\n\n${table(["types", "parameter", "what it is"], rows)}${others}`;
}

it("the page says what the tables of facts say", () => {
  const types = allRuntimes.map(({ title, facts: { validatorTypes, validatorParameters } }) =>
    checkTypes(title, validatorTypes.value, validatorParameters.value),
  );
  expectFile(
    path,
    readFileSync(path, "utf8").replace(
      /(<!-- facts:start -->\n)[^]*?(<!-- facts:end -->)/,
      (_, start: string, end: string) => `${start}\n${[factTable(), ...types].join("\n\n")}\n\n${end}`,
    ),
  );
});

it("types of evals and of validators are the same, where a runtime knows both", () => {
  for (const { facts } of allRuntimes)
    if (facts.evalTypes !== undefined)
      expect([...facts.evalTypes.value.known]).toEqual([...facts.validatorTypes.value.known]);
});
