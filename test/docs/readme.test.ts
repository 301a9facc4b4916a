import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ruleGroups } from "../../src/rules/index.js";
import { promptpack } from "../cli/harness.js";
import { expectFile } from "../expected-file.js";

const path = "README.md";
const read = (): string => readFileSync(path, "utf8");

describe("the README", () => {
  it("lists every rule", () => {
    const tables = ruleGroups.map(({ title, rules }) => {
      const rows = rules.map(
        ({ id, severity, fix = "", since = "", summary }) =>
          `| [\`${id}\`](docs/rules/${id}.md) | ${severity} | ${fix} | ${since.replace(/\.0$/, "")} | ${summary} |`,
      );
      return [
        `### ${title}\n`,
        "| rule | severity | fix | since | what it asks for |",
        "|---|---|---|---|---|",
        ...rows,
      ].join("\n");
    });
    expectFile(
      path,
      read().replace(
        /(<!-- rules:start -->\n)[^]*?(<!-- rules:end -->)/,
        (_, start: string, end: string) => `${start}\n${tables.join("\n\n")}\n\n${end}`,
      ),
    );
  });

  it("shows what the program prints", async () => {
    const readme = read();
    let updated = readme;
    const shown = [...readme.matchAll(/<!-- output: (.+) -->\n\n?```text\n([^]*?)```/g)];
    expect(shown.length).toBeGreaterThan(0);
    for (const [whole, command = "", body = ""] of shown) {
      const { stdout } = await promptpack(command.split(" "), { cwd: process.cwd() });
      updated = updated.replace(whole, () => whole.slice(0, whole.length - body.length - 3) + stdout + "```");
    }
    expectFile(path, updated);
  });

  it("has pictures that the program draws today", async () => {
    const pictures = [...read().matchAll(/\(docs\/pictures\/([\w-]+)\.svg\)/g)].map(
      (match) => match[1] ?? "",
    );
    expect(pictures.length).toBeGreaterThan(0);
    for (const name of pictures) {
      const pack = `examples/${name}.pack.yaml`;
      const { stdout } = await promptpack(["graph", "--format", "svg", pack], { cwd: process.cwd() });
      expectFile(`docs/pictures/${name}.svg`, stdout);
    }
  });

  it("has two commands in its quick start, each alone in a block", () => {
    const section = /^## Quick start\n([^]*?)^## /m.exec(read())?.[1] ?? "";
    const blocks = [...section.matchAll(/^```sh\n([^]*?)^```$/gm)].map((match) =>
      match[1]?.trim().split("\n"),
    );
    expect(blocks.map((lines) => lines?.length)).toEqual([1, 1]);
  });
});
