import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, join, resolve } from "node:path";
import process from "node:process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { folderOf } from "../cli/harness.js";
import { isFull, runs } from "../runs.js";

interface Settings {
  readonly home: string;
  readonly program?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly nodeFlags?: readonly string[];
}

function start({ home, program = "bin/promptpack.js", env = {}, nodeFlags = [] }: Settings) {
  const args = [...nodeFlags, program, "lint", "--no-config", resolve("examples/codegen.pack.yaml")];
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    timeout: 60_000,
    killSignal: "SIGKILL",
    env: { XDG_CACHE_HOME: home, HOME: home, ...env },
  });
  return { status, signal, stdout, stderr };
}

const expected = start({ home: "", env: { PROMPTPACK_NO_CACHE: "1" } });

function lint(settings: Settings): void {
  expect(start(settings)).toEqual(expected);
}

const folderIn = (home: string) => join(home, "promptpack", "compiled");

const kept = (home: string) => readdirSync(folderIn(home));

/** A home in which a first run has kept its form. */
function usedHome(): { readonly home: string; readonly form: string } {
  const home = folderOf({});
  lint({ home });
  const [name = "", ...others] = kept(home);
  expect(others).toEqual([]);
  return { home, form: join(folderIn(home), name) };
}

/** A form that is not used is made again, as another file. */
const fileOf = (form: string) => lstatSync(form).ino;

function expectUsed(home: string, form: string): void {
  const before = fileOf(form);
  lint({ home });
  expect(fileOf(form)).toBe(before);
  expect(kept(home)).toEqual([basename(form)]);
}

/** The first run prints what it prints without a cache, and keeps a new form, which the second one uses. */
function expectHealed(home: string, form: string): void {
  lint({ home });
  expect(statSync(form).size).toBeGreaterThan(100_000);
  expectUsed(home, form);
}

/** The mark of a process in `compiled`. */
const markOf = (form: string, pid: number) => form.replace(/form$/, `${pid}.started`);

function deadProcess(): number {
  return spawnSync(process.execPath, ["--version"]).pid;
}

const isPosix = process.platform !== "win32";
const isRoot = process.getuid?.() === 0;

it("expects what a run without a cache prints", () => {
  expect(expected).toMatchObject({ status: 0, signal: null, stderr: "" });
  expect(expected.stdout).toContain("codegen.pack.yaml");
});

describe.runIf(isPosix)("the compiled form", () => {
  it("is kept by the first run, for the user alone, and used from then on", () => {
    const { home, form } = usedHome();
    expect(basename(form)).toMatch(/^[\da-f]{8}\.form$/);
    expect(statSync(join(home, "promptpack")).mode & 0o777).toBe(0o700);
    expect(statSync(folderIn(home)).mode & 0o777).toBe(0o700);
    expect(statSync(form).mode & 0o777).toBe(0o600);
    expectUsed(home, form);
  });

  // A thousand starts take minutes.
  it("changes no run when it is damaged", { timeout: 1_800_000 }, () => {
    const { home, form } = usedHome();
    const sound = readFileSync(form);
    const damages = fc.record({
      at: fc.oneof(fc.nat(sound.length - 64), fc.nat(1000)),
      by: fc.oneof(
        fc.nat(7).map((bit) => ({ flipping: 1 << bit })),
        fc.uint8Array({ minLength: 1, maxLength: 64 }).map((bytes) => ({ writing: [...bytes] })),
        fc.constantFrom("zeros to the end" as const, "the end" as const),
      ),
    });
    fc.assert(
      fc.property(damages, ({ at, by }) => {
        const damaged = Buffer.from(by === "the end" ? sound.subarray(0, at) : sound);
        if (by === "zeros to the end") damaged.fill(0, at);
        else if (by !== "the end")
          damaged.set("writing" in by ? by.writing : [(sound[at] ?? 0) ^ by.flipping], at);
        writeFileSync(form, damaged);
        lint({ home });
        lint({ home });
      }),
      { numRuns: runs(500, 100) },
    );
    expectUsed(home, form);
  });

  it.runIf(isFull)("is dropped after a start that died", async () => {
    const { home, form } = usedHome();
    const before = fileOf(form);
    const child = spawn(process.execPath, ["bin/promptpack.js", "lint", "-"], {
      env: { XDG_CACHE_HOME: home, HOME: home },
    });
    const mark = markOf(form, child.pid ?? 0);
    while (!existsSync(mark)) await new Promise((done) => setTimeout(done, 5));
    expect(lstatSync(mark).mode & 0o777).toBe(0o600);
    lint({ home });
    expect(fileOf(form)).toBe(before);
    child.kill("SIGKILL");
    await once(child, "close");
    expect(existsSync(mark)).toBe(true);
    expectHealed(home, form);
  });

  it("is used beside a process that lives, and its mark is left alone", () => {
    const { home, form } = usedHome();
    const before = fileOf(form);
    const mark = markOf(form, process.pid);
    writeFileSync(mark, "");
    lint({ home });
    expect(fileOf(form)).toBe(before);
    expect(kept(home).sort()).toEqual([basename(mark), basename(form)].sort());
  });
});

describe.runIf(isPosix && isFull)("a form that cannot be used", () => {
  it.each<[string, (form: string) => void]>([
    ["is empty", (form) => writeFileSync(form, "")],
    ["is something else", (form) => writeFileSync(form, "not compiled at all")],
    [
      "is of another build",
      (form) => {
        const [first = "", second = "", ...rest] = readFileSync(form, "latin1").split("\n");
        writeFileSync(form, [first, second.replace(/"/, '"9'), ...rest].join("\n"), "latin1");
      },
    ],
    ["is too large", (form) => appendFileSync(form, Buffer.alloc(30_000_000))],
    ["can be written by others", (form) => chmodSync(form, 0o666)],
    ["was used by a process that is gone", (form) => writeFileSync(markOf(form, deadProcess()), "")],
  ])("is made again: it %s", (_, spoil) => {
    const { home, form } = usedHome();
    spoil(form);
    expectHealed(home, form);
  });

  it("ends one run at most, even if both copies of it are damaged in the same way", () => {
    const { home, form } = usedHome();
    const bytes = readFileSync(form);
    const begin = bytes.indexOf("\n", bytes.indexOf("\n") + 1) + 1;
    const length = (bytes.length - begin) / 2;
    for (const copy of [begin, begin + length]) bytes.fill(0, copy + (length >> 1), copy + length);
    writeFileSync(form, bytes);
    const first = start({ home });
    if (first.signal === null) expect(first).toEqual(expected);
    else expectHealed(home, form);
  });

  it.each<[string, (form: string) => void]>([
    ["a folder", (form) => mkdirSync(join(form, "inside"), { recursive: true })],
    ["a FIFO", (form) => execFileSync("mkfifo", [form])],
    ["a link", (form) => symlinkSync(resolve("package.json"), form)],
    ["a link to a device that never ends", (form) => symlinkSync("/dev/zero", form)],
  ])("is left alone where it is %s", (_, replace) => {
    const { home, form } = usedHome();
    rmSync(form);
    replace(form);
    const before = fileOf(form);
    lint({ home });
    lint({ home });
    expect(fileOf(form)).toBe(before);
    expect(kept(home)).toEqual([basename(form)]);
  });

  it("is not followed through a link, not even to a sound one", () => {
    const home = folderOf({});
    const settings = { home, env: { NODE_OPTIONS: observer(home) } };
    lint(settings);
    const form = join(folderIn(home), kept(home)[0] ?? "");
    renameSync(form, join(home, "elsewhere"));
    symlinkSync(join(home, "elsewhere"), form);
    lint(settings);
    expect(readFileSync(join(home, "observed"), "utf8")).toBe("false");
  });

  it.skipIf(isRoot)("may not be read", () => {
    const { home, form } = usedHome();
    chmodSync(form, 0);
    expectHealed(home, form);
  });

  it("cannot be marked, because nothing can be written", () => {
    const home = folderOf({});
    const settings = { home, env: { NODE_OPTIONS: observer(home) } };
    const wasUsed = (more = {}) => {
      lint({ ...settings, env: { ...settings.env, ...more } });
      return readFileSync(join(home, "observed"), "utf8");
    };
    expect(wasUsed()).toBe("false");
    expect(wasUsed()).toBe("true");
    expect(wasUsed({ READ_ONLY: "1" })).toBe("false");
    expect(wasUsed()).toBe("true");
    expect(kept(home)).toHaveLength(1);
  });

  const ofDead = (form: string) => markOf(form, deadProcess());
  it.each<[string, (form: string) => void]>([
    ["a folder", (form) => mkdirSync(ofDead(form))],
    ["a link", (form) => symlinkSync(resolve("package.json"), ofDead(form))],
  ])("has a mark that is %s, which is left alone", (_, replace) => {
    const { home, form } = usedHome();
    const before = fileOf(form);
    replace(form);
    lint({ home });
    expect(fileOf(form)).toBe(before);
    expect(kept(home)).toHaveLength(2);
  });
});

/** A module that Node loads first. It notes whether a form was used, and can make the cache folder read-only. */
function observer(home: string): string {
  const path = join(home, "observer.cjs");
  writeFileSync(
    path,
    `const fs = require("node:fs"), vm = require("node:vm"), { openSync } = fs, { Script } = vm;
     vm.Script = class extends Script {
       constructor(source, options) {
         super(source, options);
         if (options.filename.endsWith("program.cjs"))
           fs.writeFileSync(${JSON.stringify(join(home, "observed"))}, String(options.cachedData !== undefined));
       }
     };
     fs.openSync = (path, flags, mode) => {
       if (process.env.READ_ONLY && flags === "wx") throw Object.assign(new Error("EROFS"), { code: "EROFS" });
       return openSync(path, flags, mode);
     };`,
  );
  return `--require ${path}`;
}

describe.runIf(isPosix && isFull)("a program of one's own", () => {
  const copyOf = (name: string) => {
    const folder = folderOf({});
    for (const part of ["bin", "dist", "package.json"]) cpSync(part, join(folder, part), { recursive: true });
    return { program: join(folder, "bin", "promptpack.js"), changed: join(folder, "dist", name) };
  };

  it("has a form of its own when it is another build", () => {
    const { home } = usedHome();
    const { program, changed } = copyOf("load.cjs");
    const text = readFileSync(changed, "utf8");
    writeFileSync(changed, text.replace(/^const build = .*/m, 'const build = "other";'));
    lint({ home, program });
    expect(kept(home)).toHaveLength(2);
  });

  it("has a form of its own when it was changed by hand", () => {
    const { home } = usedHome();
    const { program, changed } = copyOf("program.cjs");
    const text = readFileSync(changed, "latin1");
    writeFileSync(changed, text.replace("#/workflow/states", "#/workflow/STATES"), "latin1");
    lint({ home, program });
    expect(kept(home)).toHaveLength(2);
  });

  it("has a form of its own for each set of flags", () => {
    const { home } = usedHome();
    lint({ home, nodeFlags: ["--stack-size=900"] });
    lint({ home, env: { NODE_OPTIONS: "--max-old-space-size=4096" } });
    expect(kept(home)).toHaveLength(3);
  });
});

describe.runIf(isPosix && isFull)("the folder of compiled forms", () => {
  it("holds four forms at most, with their marks, and no old draft; what is not ours stays", () => {
    const { home, form } = usedHome();
    rmSync(form);
    const files = ["notes.txt", "1.form", "0123abcd.form.bak", "0000000a.f00.draft"];
    const forms = ["1", "2", "3", "4", "5"].map((digit) => `${digit.repeat(8)}.form`);
    const gone = ["11111111.1.started", "0000000b.f00.draft", "99999999.1.started"];
    for (const name of [...files, ...forms, ...gone]) writeFileSync(join(folderIn(home), name), "");
    mkdirSync(join(folderIn(home), "00000000.form"));
    utimesSync(join(folderIn(home), "00000000.form"), 1000, 1000);
    forms.forEach((name, i) => utimesSync(join(folderIn(home), name), 1000 + i, 1000 + i));
    utimesSync(join(folderIn(home), "0000000b.f00.draft"), 1000, 1000);
    lint({ home });
    const left = [...files, ...forms.slice(2), "00000000.form", basename(form)];
    expect(kept(home).sort()).toEqual(left.sort());
  });

  it.each<[string, (home: string) => void, Record<string, string>?]>([
    ["turned off", () => undefined, { PROMPTPACK_NO_CACHE: "1" }],
    [
      "in a folder that others can write to",
      (home) => {
        mkdirSync(join(home, "promptpack"));
        chmodSync(join(home, "promptpack"), 0o770);
      },
    ],
    ["below a folder that others can write to", (home) => chmodSync(home, 0o777)],
    [
      "through a link",
      (home) => {
        mkdirSync(join(home, "elsewhere"), { mode: 0o700 });
        symlinkSync(join(home, "elsewhere"), join(home, "promptpack"));
      },
    ],
    ["where there is a file", (home) => writeFileSync(join(home, "promptpack"), "")],
  ])("keeps nothing %s", (_, prepare, env = {}) => {
    const home = folderOf({});
    prepare(home);
    lint({ home, env });
    const names = readdirSync(home, { recursive: true }).map(String);
    expect(names.filter((name) => name.includes("compiled"))).toEqual([]);
    chmodSync(home, 0o755);
  });

  it.each<[string, (folder: string) => void]>([
    ["a file", (folder) => writeFileSync(folder, "")],
    ["a FIFO", (folder) => execFileSync("mkfifo", [folder])],
    [
      "a link to another folder",
      (folder) => {
        mkdirSync(join(folder, "../../elsewhere"));
        symlinkSync("../elsewhere", folder);
      },
    ],
  ])("is not used where it is %s", (_, prepare) => {
    const home = folderOf({});
    mkdirSync(join(home, "promptpack"), { mode: 0o700 });
    prepare(folderIn(home));
    lint({ home });
    lint({ home });
    const names = readdirSync(home, { recursive: true }).map(String);
    expect(names.filter((name) => name.endsWith(".form"))).toEqual([]);
  });

  it("is missing where nothing can be written", () => {
    lint({ home: "/proc/no-such-place" });
  });
});
