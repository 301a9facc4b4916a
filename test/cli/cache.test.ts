import { execFileSync, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { folderOf, promptpack, type Surround } from "./harness.js";
import { badEntry, clean, cleanPack, closedSchema, oddEvent, packWithSchema, yamlPack } from "./packs.js";
import { SeededRandom } from "../../src/simulate/drive-simulation.js";
import { isFull, runs } from "../runs.js";

const config = (content: object) => JSON.stringify(content);

const entriesIn = (cache: string, folder = join(cache, "findings")) =>
  readdirSync(folder).map((name) => join(folder, name));

/** Changes an entry, and signs it with a key. */
function forge(entry: string, key: Uint8Array, change: (body: string) => string): void {
  const [line, , body = ""] = readFileSync(entry, "utf8").split("\n");
  const forged = change(body);
  expect(forged).not.toBe(body);
  const name = entry.split("/").at(-1) ?? "";
  writeFileSync(
    entry,
    `${line}\n${createHmac("sha256", key).update(name).update(forged).digest("hex")}\n${forged}`,
  );
}

/** Makes every entry tell that it was used, as only the owner of the key can. */
function mark(cache: string): void {
  const key = readFileSync(join(cache, "key"));
  for (const entry of entriesIn(cache))
    forge(entry, key, (body) => body.replaceAll('"message":"', '"message":"FROM THE CACHE '));
}

/** With an unknown entry, and a state that names a skill. */
const skillPack = JSON.stringify({ ...cleanPack(), skills: [{ path: "./skills/billing" }] })
  .replace('"entry":"hello"', '"entry":"helo"')
  .replace('"prompt_task":"greet"', '"prompt_task":"greet","skills":"billing"');

it("answers from the cache while nothing has changed", async () => {
  const cwd = folderOf({ "a.pack.json": badEntry });
  const cache = folderOf({});
  const fresh = await promptpack(["lint", "--cache"], { cwd, cache });
  expect(fresh).toEqual(await promptpack(["lint"], { cwd }));
  expect(await promptpack(["lint", "--cache"], { cwd, cache })).toEqual(fresh);
  mark(cache);
  const { code, stdout, stderr } = await promptpack(["lint", "--cache"], { cwd, cache });
  expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
  expect(stdout).toContain("FROM THE CACHE");
});

it("asks the cache again after every kind of change was taken back", async () => {
  const cwd = folderOf({ "a.pack.json": badEntry });
  const cache = folderOf({});
  await promptpack(["lint", "--cache"], { cwd, cache });
  mark(cache);
  writeFileSync(join(cwd, "a.pack.json"), clean);
  expect((await promptpack(["lint", "--cache"], { cwd, cache })).code).toBe(0);
  writeFileSync(join(cwd, "a.pack.json"), badEntry);
  expect((await promptpack(["lint", "--cache"], { cwd, cache })).stdout).toContain("FROM THE CACHE");
});

describe("never gives a stale answer", () => {
  interface Change {
    readonly files?: Readonly<Record<string, string>>;
    readonly args?: readonly string[];
    readonly surround?: Surround;
    /** In a folder with all of the files below. */
    readonly act?: (cwd: string) => void;
  }
  const before = {
    "a.pack.json": badEntry.replace("emit Done", "emit done").replace('"Done": "end"', '"done": "end"'),
    "b.pack.yaml": `# promptpack-disable event-name-case\n${yamlPack}`,
    "c/skill.pack.json": skillPack,
    "promptpack.config.json": config({
      ignore: [{ file: "a.pack.json", rule: "event-not-in-prompt", pointer: "/workflow", reason: "later" }],
      properties: [{ name: "ends", eventually: "end", from: ["hello"] }],
    }),
  };
  const changes: Record<string, Change> = {
    "the text of a pack": { files: { "a.pack.json": oddEvent } },
    "a line above the finding": { files: { "b.pack.yaml": `\n${before["b.pack.yaml"]}` } },
    "the name of a pack": { act: (cwd) => renameSync(join(cwd, "a.pack.json"), join(cwd, "z.pack.json")) },
    "a pack moved to where the config says something else": {
      act: (cwd) => renameSync(join(cwd, "a.pack.json"), join(cwd, "c", "a.pack.json")),
    },
    "a rule in the config": {
      files: { "promptpack.config.json": config({ rules: { "unknown-entry": "warning" } }) },
    },
    "an override in the config": {
      files: {
        "promptpack.config.json": config({
          overrides: [{ files: ["a.pack.json"], rules: { "unknown-entry": "info" } }],
        }),
      },
    },
    "an ignored finding": {
      files: {
        "promptpack.config.json": config({
          ignore: [
            { file: "a.pack.json", rule: "unknown-entry", pointer: "/workflow/entry", reason: "later" },
          ],
        }),
      },
    },
    "a property": {
      files: {
        "promptpack.config.json": config({ properties: [{ name: "never", never: "end", from: ["hello"] }] }),
      },
    },
    "a config that comes near": { files: { "c/promptpack.config.json": config({ preset: "errors" }) } },
    "no config": { act: (cwd) => rmSync(join(cwd, "promptpack.config.json")) },
    "another config": {
      args: ["--config", "other.json"],
      files: { "other.json": config({ preset: "spec" }) },
    },
    "the preset": { args: ["--preset", "strict"] },
    "a rule on the command line": { args: ["--rule", "unknown-entry:warning"] },
    "the version of the specification": { args: ["--spec-version", "1.3"] },
    "no comments": { args: ["--no-inline-config"] },
    "the limits": { args: ["--max-depth", "3"] },
    "the kind": { args: ["--kind", "routes"] },
    "a format that needs pointers": { args: ["--format", "gitlab"] },
    "a skill that appears": { files: { "c/skills/billing/SKILL.md": "---\nname: billing\n---\n" } },
    "another build": { surround: { build: "2" } },
  };

  it.each(Object.entries(changes))("%s", async (_, { files = {}, args = [], surround = {}, act }) => {
    const cwd = folderOf(before);
    const cache = folderOf({});
    const lint = ["lint", "--format", "json", "."];
    await promptpack([...lint, "--cache"], { cwd, cache });
    expect(entriesIn(cache)).toHaveLength(3);
    mark(cache);
    expect(
      (await promptpack([...lint, "--cache"], { cwd, cache })).stdout.match(/FROM THE CACHE/g),
    ).toHaveLength(5);
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(cwd, name, ".."), { recursive: true });
      writeFileSync(join(cwd, name), text);
    }
    act?.(cwd);
    const changed = [...(args.includes("--format") ? ["lint", "."] : lint), ...args];
    const cached = await promptpack([...changed, "--cache"], { cwd, cache, ...surround });
    const fresh = await promptpack(changed, { cwd });
    const unmarked = { ...cached, stdout: cached.stdout.replaceAll("FROM THE CACHE ", "") };
    expect(unmarked).toEqual(fresh);
    expect(cached).not.toEqual(await promptpack([...lint, "--cache"], { cwd: folderOf(before), cache }));
  });
});

it("looks again at the files beside a pack", async () => {
  const cwd = folderOf({ "a.pack.json": packWithSchema("schema.json"), "schema.json": closedSchema });
  const cache = folderOf({});
  const lint = () => promptpack(["lint", "--format", "compact", "--cache"], { cwd, cache });
  expect((await lint()).stdout).toContain("[unknown-output-field]");
  mark(cache);
  expect((await lint()).stdout).toContain("FROM THE CACHE");
  writeFileSync(join(cwd, "schema.json"), closedSchema.replace("additionalProperties", "x-closed"));
  expect((await lint()).stdout).toBe("");
  rmSync(join(cwd, "schema.json"));
  expect((await lint()).stdout).toContain("[schema-file]");
});

it("remembers what findings in the config and the baseline depend on", async () => {
  const settings = {
    ignore: [
      { file: "a.pack.json", rule: "unknown-entry", pointer: "/workflow/none", reason: "gone" },
      { file: "a.pack.json", rule: "event-name-case", pointer: "/workflow", reason: "stale" },
    ],
    properties: [{ name: "ends", eventually: "finish", from: ["hello"] }],
  };
  const entry = { file: "a.pack.json", rule: "unknown-entry", pointer: "/workflow/entry", fingerprint: "0" };
  const files = {
    "promptpack.config.json": config(settings),
    "base.json": config({ schemaVersion: 1, findings: [entry] }),
  };
  for (const pack of [clean, badEntry]) {
    const cwd = folderOf({ ...files, "a.pack.json": pack });
    const cache = folderOf({});
    const lint = ["lint", "--format", "json", "--baseline", "base.json", "."];
    const fresh = await promptpack(lint, { cwd });
    expect(fresh.stdout).toContain(pack === clean ? '\\"finish\\"' : "unknown-entry");
    expect(await promptpack([...lint, "--cache"], { cwd, cache })).toEqual(fresh);
    expect(await promptpack([...lint, "--cache"], { cwd, cache })).toEqual(fresh);
  }
});

/** Names and first lines as entries have them. */
function fakeEntries(folder: string, count: number): void {
  for (let number = 0; number < count; number++) {
    const name = `${number.toString(16).padStart(64, "0")}.findings`;
    writeFileSync(join(folder, name), "promptpack findings\n");
  }
}

describe.runIf(isFull)("a location that holds thousands of files", () => {
  it("keeps at most ten thousand entries", async () => {
    const cwd = folderOf({ "a.pack.json": clean });
    const cache = folderOf({});
    mkdirSync(join(cache, "findings"));
    fakeEntries(join(cache, "findings"), 10_000);
    await promptpack(["lint", "--cache"], { cwd, cache });
    expect(entriesIn(cache)).toHaveLength(5_000);
  });

  it("loses none that are the user's", async () => {
    const cwd = folderOf({ "a.pack.json": clean });
    const cache = folderOf({});
    const location = folderOf({ "x/kept": "kept" });
    for (let number = 0; number < 10_050; number++) writeFileSync(join(location, `photo-${number}.jpg`), "");
    const before = readdirSync(location);
    const lint = ["lint", "--cache", "--cache-location", location];
    await promptpack(lint, { cwd, cache });
    const [entry = ""] = readdirSync(location).filter((name) => !before.includes(name));
    expect(entry).toMatch(/^[\da-f]{64}\.findings$/);
    expect(readdirSync(location)).toHaveLength(before.length + 1);
    // Not even if they are named like entries, or lie among too many of these.
    const notes = `${"f".repeat(64)}.findings`;
    const linked = `${"e".repeat(64)}.findings`;
    writeFileSync(join(location, notes), "notes\n");
    symlinkSync("x/kept", join(location, linked));
    mkdirSync(join(location, `${"d".repeat(64)}.findings`));
    fakeEntries(location, 10_001);
    writeFileSync(join(cwd, "a.pack.json"), badEntry);
    await promptpack(lint, { cwd, cache });
    const left = new Set(readdirSync(location));
    expect(before.filter((name) => !left.has(name))).toEqual([]);
    expect(left.size).toBe(before.length + 3 + 5_000);
    expect(readFileSync(join(location, linked), "utf8")).toBe("kept");
  });
});

describe("damage", () => {
  const files = { "a.pack.json": badEntry, "b.pack.yaml": yamlPack, "c.pack.json": clean };
  const lint = ["lint", "--cache", "--format", "json"];

  const damages: Readonly<Record<string, (bytes: Buffer, at: number, byte: number) => Uint8Array>> = {
    "one bit": (bytes, at, byte) => bytes.fill((bytes[at] ?? 0) ^ (1 << (byte % 8)), at, at + 1),
    "one byte": (bytes, at, byte) => bytes.fill(byte, at, at + 1),
    "zeros from there on": (bytes, at) => bytes.fill(0, at),
    "the end cut off": (bytes, at) => bytes.subarray(0, at),
    "the start cut off": (bytes, at) => bytes.subarray(at),
    "nothing left": () => Buffer.alloc(0),
    "something added": (bytes, at, byte) => Buffer.concat([bytes, Buffer.alloc(at + 1, byte)]),
    "a part twice": (bytes, at) => Buffer.concat([bytes.subarray(0, at), bytes]),
    "a line added": (bytes, at) =>
      Buffer.concat([bytes.subarray(0, at), Buffer.from("\n"), bytes.subarray(at)]),
  };

  it(`of any file of the cache changes no run, nor the one after it`, async () => {
    const cwd = folderOf(files);
    const cache = folderOf({});
    const fresh = await promptpack(["lint", "--format", "json"], { cwd });
    await promptpack(lint, { cwd, cache });
    const random = new SeededRandom(44);
    const kinds = Object.entries(damages);
    for (let round = 0; round < runs(500); round++) {
      const kept = [...entriesIn(cache), join(cache, "key")];
      const file = kept[random.below(kept.length)] ?? "";
      const bytes = readFileSync(file);
      const [kind = "", damage] = kinds[random.below(kinds.length)] ?? [];
      const damaged = damage?.(Buffer.from(bytes), random.below(bytes.length), random.below(256));
      writeFileSync(file, damaged ?? "");
      expect(await promptpack(lint, { cwd, cache }), `${round}: ${kind} in ${file}`).toEqual(fresh);
      expect(readFileSync(join(cache, "key"))).toHaveLength(32);
      expect(await promptpack(lint, { cwd, cache }), `${round}: after ${kind} in ${file}`).toEqual(fresh);
      if (!file.endsWith("key")) continue;
      // Entries of another key are never looked at again, so there is no use in damaging them.
      rmSync(join(cache, "findings"), { recursive: true });
      await promptpack(lint, { cwd, cache });
    }
  });

  const intruders: Readonly<Record<string, (path: string, mine: string) => void>> = {
    "a link to another file": (path, mine) => symlinkSync(mine, path),
    "a link to /dev/zero": (path) => symlinkSync("/dev/zero", path),
    "a link to nothing": (path) => symlinkSync("nowhere", path),
    "a FIFO": (path) => void execFileSync("mkfifo", [path]),
    "a folder": (path) => mkdirSync(path),
    "a file without end": (path) => {
      writeFileSync(path, "");
      truncateSync(path, 2 ** 40);
    },
  };

  it.runIf(process.platform === "linux").each(Object.entries(intruders))(
    "is not done by %s in the place of a file of the cache",
    async (kind, intrude) => {
      const cwd = folderOf(files);
      const cache = folderOf({ mine: "mine" });
      const fresh = await promptpack(["lint", "--format", "json"], { cwd });
      await promptpack(lint, { cwd, cache });
      for (const entry of entriesIn(cache)) {
        rmSync(entry);
        intrude(entry, join(cache, "mine"));
      }
      for (let time = 0; time < 2; time++) expect(await promptpack(lint, { cwd, cache })).toEqual(fresh);
      rmSync(join(cache, "key"));
      intrude(join(cache, "key"), join(cache, "mine"));
      const { stderr, ...rest } = await promptpack(lint, { cwd, cache });
      expect({ ...rest, stderr: "" }).toEqual(fresh);
      expect(stderr).toMatch(kind === "a file without end" ? /^$/ : /^promptpack: The cache ".*" .*\.\n$/);
      expect(readFileSync(join(cache, "mine"), "utf8")).toBe("mine");
      expect(existsSync(join(cache, "nowhere"))).toBe(false);
    },
  );

  it("cannot be prepared: another key gives entries other names", async () => {
    const cwd = folderOf(files);
    const names = await Promise.all(
      [folderOf({}), folderOf({})].map(async (cache) => {
        await promptpack(lint, { cwd, cache });
        return readdirSync(join(cache, "findings"));
      }),
    );
    expect(names[0]).toHaveLength(3);
    expect(names[0]?.filter((name) => names[1]?.includes(name))).toEqual([]);
  });
});

it.runIf(isFull)("of many first runs at once, all use one key", async () => {
  const base = folderOf({ "p/a.pack.json": badEntry });
  const children = Array.from({ length: 8 }, (_, index) => {
    writeFileSync(join(base, "p", `${index}.pack.json`), badEntry);
    const args = [resolve("bin/promptpack.js"), "lint", "--no-config", "--cache", `p/${index}.pack.json`];
    return spawn(process.execPath, args, { cwd: base, env: { XDG_CACHE_HOME: base }, stdio: "ignore" });
  });
  await Promise.all(children.map((child) => once(child, "close")));
  const cache = join(base, "promptpack");
  const key = readFileSync(join(cache, "key"));
  expect(key).toHaveLength(32);
  const entries = entriesIn(cache);
  expect(entries).toHaveLength(8);
  for (const entry of entries) {
    const [, signature, body = ""] = readFileSync(entry, "utf8").split("\n");
    const name = entry.split("/").at(-1) ?? "";
    expect(createHmac("sha256", key).update(name).update(body).digest("hex")).toBe(signature);
  }
  expect(readdirSync(cache).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

describe("believes only what the user has signed", () => {
  const lintOf = (cwd: string, cache: string) => () =>
    promptpack(["lint", "--cache", "--cache-location", ".cache"], { cwd, cache });

  /** A repository with an entry that hides the error of its pack. */
  async function repositoryWithCache(key: Uint8Array) {
    const cwd = folderOf({ "a.pack.json": badEntry });
    const cache = folderOf({});
    await lintOf(cwd, cache)();
    const hide = (body: string) =>
      body.replace(/"diagnostics":\[.*\],"suppressed"/, '"diagnostics":[],"suppressed"');
    for (const entry of entriesIn(cache, join(cwd, ".cache"))) forge(entry, key, hide);
    return { cwd, cache };
  }

  it("not what a repository brings along", async () => {
    const { cwd, cache } = await repositoryWithCache(Buffer.alloc(32));
    expect((await lintOf(cwd, cache)()).code).toBe(1);
  });

  it("not what was signed for another pack", async () => {
    const cwd = folderOf({ "a.pack.json": clean });
    const cache = folderOf({});
    await lintOf(cwd, cache)();
    const [cleanEntry = ""] = entriesIn(cache, join(cwd, ".cache"));
    writeFileSync(join(cwd, "a.pack.json"), badEntry);
    await lintOf(cwd, cache)();
    const others = entriesIn(cache, join(cwd, ".cache")).filter((entry) => entry !== cleanEntry);
    expect(others).toHaveLength(1);
    for (const other of others) cpSync(cleanEntry, other);
    expect((await lintOf(cwd, cache)()).code).toBe(1);
  });

  it("not what was cut off, nor what is no entry", async () => {
    const cwd = folderOf({ "a.pack.json": badEntry });
    const cache = folderOf({});
    const first = await lintOf(cwd, cache)();
    for (const text of ["", "\n", "{}", "0\n{}"]) {
      for (const entry of entriesIn(cache, join(cwd, ".cache"))) writeFileSync(entry, text);
      expect(await lintOf(cwd, cache)()).toEqual(first);
    }
    for (const entry of entriesIn(cache, join(cwd, ".cache"))) {
      rmSync(entry);
      mkdirSync(entry);
    }
    expect(await lintOf(cwd, cache)()).toEqual(first);
  });

  it("with a key that nobody else can read", async () => {
    const cache = folderOf({});
    await promptpack(["lint", "--cache"], { cwd: folderOf({ "a.pack.json": clean }), cache });
    expect(readFileSync(join(cache, "key"))).toHaveLength(32);
    expect(statSync(join(cache, "key")).mode & 0o777).toBe(0o600);
    for (const entry of entriesIn(cache)) expect(statSync(entry).mode & 0o777).toBe(0o600);
  });
});

it("caches neither fixes, nor standard input, nor files that cannot be parsed", async () => {
  const cwd = folderOf({ "a.pack.json": "{" });
  const cache = folderOf({});
  await promptpack(["lint", "--cache"], { cwd, cache });
  await promptpack(["lint", "--cache", "-"], { cwd, cache, stdin: clean });
  writeFileSync(join(cwd, "a.pack.json"), badEntry);
  await promptpack(["lint", "--cache", "--fix"], { cwd, cache });
  expect(entriesIn(cache)).toEqual([]);
});

it("says so where there is no safe place for a cache, and lints all the same", async () => {
  const cwd = folderOf({ "a.pack.json": clean });
  const { code, stderr } = await promptpack(["lint", "--cache"], { cwd });
  expect(code).toBe(0);
  expect(stderr).toBe(
    "promptpack: There is no cache folder that only you can write to, so nothing is cached.\n",
  );
  const off = await promptpack(["lint", "--cache"], { cwd, env: { PROMPTPACK_NO_CACHE: "1" } });
  expect(off).toMatchObject({ code: 0, stderr: "" });
});

it("says why a location cannot be used", async () => {
  const cwd = folderOf({ "a.pack.json": clean, taken: "" });
  const { code, stderr } = await promptpack(["lint", "--cache", "--cache-location", "taken"], {
    cwd,
    cache: folderOf({}),
  });
  expect(code).toBe(0);
  expect(stderr).toMatch(/^promptpack: The cache "taken" .*\.\n$/);
  const nowhere = await promptpack(["lint", "--cache", "--cache-location", "/proc/none/x"], {
    cwd,
    cache: folderOf({}),
  });
  expect(nowhere.stderr).toMatch(/^promptpack: The cache ".*\/proc\/none\/x" .*\.\n$/);
  expect(await promptpack(["lint", "--cache-location", "x"], { cwd })).toMatchObject({
    code: 2,
    stderr: 'promptpack: "--cache-location" needs "--cache", which keeps the findings there.\n',
  });
});

it.each(isFull ? ["json", "sarif", "pretty"] : ["json"])(
  "gives the same report of all rules as %s",
  async (format) => {
    const cache = folderOf({});
    const lint = ["lint", "--no-config", "--format", format, "fixtures/rules"];
    const fresh = await promptpack(lint, { cwd: process.cwd() });
    const first = await promptpack([...lint, "--cache"], { cwd: process.cwd(), cache });
    expect(first).toEqual(fresh);
    expect(await promptpack([...lint, "--cache"], { cwd: process.cwd(), cache })).toEqual(fresh);
  },
);
