import { readFileSync } from "node:fs";
import { afterAll, expect, it } from "vitest";
import { expectFile } from "../expected-file.js";
import { type Loaded, measureLoading } from "./loaded-modules.js";

const measured = await measureLoading();
afterAll(() => measured.end());

const path = "test/startup/budget.json";
const commands = [
  "--version",
  "rules",
  "lint --no-config --format json examples/self-correcting.pack.json",
  "lint --no-config examples/self-correcting.pack.json",
  "lint --no-config examples/codegen.pack.yaml",
  "inspect examples/self-correcting.pack.json",
  "graph examples/self-correcting.pack.json",
];

type Totals = Pick<Loaded, "modules" | "bytes">;

/** Room for small changes; a parser, a validator or a layout engine loaded by mistake is larger. */
const slack = { modules: 8, bytes: 12_000 };

const nothing: Totals = { modules: 0, bytes: 0 };

const totals = ({ modules, bytes }: Loaded): Totals => ({ modules, bytes });

type Budget = Readonly<Record<string, Totals>>;

/** Smaller differences are not written, or any two pull requests would conflict. */
function isOutdated(budget: Budget, loads: Budget): boolean {
  return Object.keys({ ...budget, ...loads }).some((command) => {
    const { modules, bytes } = loads[command] ?? nothing;
    const allowed = budget[command] ?? nothing;
    return (
      Math.abs(modules - allowed.modules) > slack.modules || Math.abs(bytes - allowed.bytes) > slack.bytes
    );
  });
}

/** What each command loads, kept without timing anything: speed that was won is not lost unnoticed. */
it("loads no more than the committed budget", () => {
  const loads = Object.fromEntries(
    commands.map((command) => [command, totals(measured.of(command.split(" ")))]),
  );
  const budget = JSON.parse(readFileSync(path, "utf8")) as Budget;
  if (process.env["UPDATE"] === "1") {
    if (isOutdated(budget, loads)) expectFile(path, JSON.stringify(loads, null, 2) + "\n");
    return;
  }
  for (const [command, { modules, bytes }] of Object.entries(loads)) {
    const allowed = budget[command] ?? nothing;
    expect(modules, `modules loaded by ${command}`).toBeLessThanOrEqual(allowed.modules + slack.modules);
    expect(bytes, `bytes loaded by ${command}`).toBeLessThanOrEqual(allowed.bytes + slack.bytes);
  }
});

it("is updated only if the difference exceeds the slack", () => {
  const budget = { lint: { modules: 100, bytes: 100_000 } };
  const loading = (modules: number, bytes: number) => ({ lint: { modules, bytes } });
  expect(isOutdated(budget, loading(108, 88_000))).toBe(false);
  expect(isOutdated(budget, loading(109, 100_000))).toBe(true);
  expect(isOutdated(budget, loading(91, 100_000))).toBe(true);
  expect(isOutdated(budget, loading(100, 112_001))).toBe(true);
  expect(isOutdated(budget, loading(100, 87_999))).toBe(true);
  expect(isOutdated(budget, {})).toBe(true);
  expect(isOutdated({}, budget)).toBe(true);
});

it("loads neither a YAML parser nor colours for a JSON report of a JSON pack", () => {
  const { names } = measured.of(["lint", "--no-config", "-f", "json", "examples/self-correcting.pack.json"]);
  expect(names).toContain("src/analysis.ts");
  const heavy =
    /node_modules\/(?:yaml|js-yaml|jsonc-parser|chalk|@dagrejs|picomatch|ignore)\/|src\/drawing\//;
  expect(names.filter((name) => heavy.test(name))).toEqual([]);
});
