import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { reporters } from "../../src/reporters/index.js";
import { rules } from "../../src/rules/index.js";
import { isFull } from "../runs.js";
import { folderOf, promptpack } from "./harness.js";

const script = async (shell: string) => (await promptpack(["completion", shell])).stdout;
const hasShell = (name: string) => spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0;

describe.runIf(hasShell("bash"))("completion bash", () => {
  let text = "";
  beforeAll(async () => {
    text = (await promptpack(["completion", "bash"], { cwd: "/" })).stdout;
  });

  /** What bash puts in the place of the word before the cursor. */
  function completed(line: string, breaks = " \t\n\"'><=;|&(:"): readonly string[] {
    const asks = `${text}
COMP_LINE=$1 COMP_POINT=\${#1} COMP_WORDBREAKS=$2
$(complete -p promptpack | sed 's/.*-F \\([^ ]*\\).*/\\1/')
printf '%s\\n' "\${COMPREPLY[@]}"`;
    const out = execFileSync("bash", ["--norc", "-c", asks, "bash", line, breaks], { encoding: "utf8" });
    return out.split("\n").filter((answer) => answer !== "");
  }

  it("completes commands", () => {
    expect(completed("promptpack sc")).toEqual(["schema"]);
    expect(completed("promptpack --v")).toEqual(["--version"]);
    expect(completed("promptpack help com")).toEqual(["compile", "completion"]);
  });

  it("completes the flags of each command", () => {
    expect(completed("promptpack lint --max-w")).toEqual(["--max-warnings"]);
    expect(completed("promptpack lint packs --no-")).toEqual([
      "--no-config",
      "--no-inline-config",
      "--no-color",
    ]);
    expect(completed("promptpack graph --o")).toEqual(["--output", "--open"]);
    expect(completed("promptpack compile --c")).toEqual(["--created-at", "--check"]);
  });

  it("completes formats, presets and versions", () => {
    expect(completed("promptpack lint --format ")).toEqual(Object.keys(reporters));
    expect(completed("promptpack lint -f s")).toEqual(["sarif"]);
    expect(completed("promptpack lint --runtime n")).toEqual(["none"]);
    expect(completed("promptpack vectors --runtime ")).toEqual(["promptkit"]);
    expect(completed("promptpack graph a.pack.yaml -f ")).toEqual(["mermaid", "dot", "svg", "html", "json"]);
    expect(completed("promptpack graph a.pack.yaml --direction ")).toEqual(["auto", "tb", "lr"]);
    expect(completed("promptpack validate --preset=s")).toEqual(["strict", "spec"]);
    expect(completed("promptpack validate --preset=s", " \t\n")).toEqual([
      "--preset=strict",
      "--preset=spec",
    ]);
    expect(completed("promptpack diff --fail-on b")).toEqual(["breaking", "behaviour"]);
    expect(completed("promptpack diff --format ")).toEqual([
      "pretty",
      "json",
      "markdown",
      "github",
      "sarif",
      "html",
    ]);
    expect(completed("promptpack inspect --spec-version 1.4")).toEqual(["1.4.0", "1.4.1"]);
    expect(completed("promptpack schema --kind c")).toEqual(["config"]);
    expect(completed("promptpack step a.pack.yaml --result ")).toEqual(["ok", "error"]);
  });

  it("completes rules, and severities after a colon", () => {
    expect(completed("promptpack explain ")).toEqual(rules.map(({ id }) => id));
    expect(completed("promptpack rules dead-g")).toEqual(["dead-guard"]);
    expect(completed("promptpack lint --only unknown-ent")).toEqual(["unknown-entry"]);
    expect(completed("promptpack lint --rule unknown-ent")).toEqual(["unknown-entry:"]);
    expect(completed("promptpack lint --rule unknown-entry:")).toEqual(["off", "info", "warning", "error"]);
    expect(completed("promptpack lint --rule unknown-entry:w")).toEqual(["warning"]);
    expect(completed("promptpack lint --rule=unknown-entry:w")).toEqual(["warning"]);
    expect(completed("promptpack lint --rule unknown-entry:w", " ")).toEqual(["unknown-entry:warning"]);
  });

  it("leaves files to bash, and never executes what is typed", () => {
    expect(completed("promptpack lint pa")).toEqual([]);
    expect(completed("promptpack lint --config ")).toEqual([]);
    const file = join(folderOf({}), "made");
    expect(completed(`promptpack lint --rule $(touch\${IFS}${file}):`)).toEqual([
      "off",
      "info",
      "warning",
      "error",
    ]);
    expect(spawnSync("test", ["-e", file]).status).toBe(1);
    expect(text).toContain("complete -o bashdefault -o default -F _promptpack promptpack\n");
  });
});

describe.runIf(isFull && hasShell("zsh"))("completion zsh in a terminal", () => {
  /** A terminal in which the tabulator key completes the line and shows it between angle brackets. */
  const asks = `zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1= fpath=(\${(q)1} \\$fpath); autoload -U compinit; compinit -u -D; cd \${(q)1}"
zpty -w shell 'complete() { zle complete-word; print -rn -- "<$BUFFER>" }; zle -N complete; bindkey "^I" complete'
zpty -w shell 'print REA""DY'
zpty -r shell seen '*READY*'
for line in "\${@[2,-1]}"; do
  zpty -w -n shell $'\\x15'"$line"$'\\t'
  zpty -r shell seen '*<*>*'
  print -r -- "\${\${seen##*<}%%>*}"
done
zpty -d shell`;

  it.each([
    ["promptpack sc", "promptpack schema "],
    ["promptpack --v", "promptpack --version "],
    ["promptpack help comple", "promptpack help completion "],
    ["promptpack graph a.pack.yaml --ou", "promptpack graph a.pack.yaml --output="],
    ["promptpack lint --format sa", "promptpack lint --format sarif "],
    ["promptpack lint -f sa", "promptpack lint -f sarif "],
    ["promptpack validate --preset=str", "promptpack validate --preset=strict "],
    ["promptpack lint --rule unknown-entr", "promptpack lint --rule unknown-entry:"],
    ["promptpack lint --rule=unknown-entry:w", "promptpack lint --rule=unknown-entry:warning "],
    ["promptpack explain dead", "promptpack explain dead-guard "],
    ["promptpack lint my", "promptpack lint my.pack.yaml "],
    ["promptpack lint --config my", "promptpack lint --config my.pack.yaml "],
  ])("completes %j", async (line, completed) => {
    const folder = folderOf({ "my.pack.yaml": "", _promptpack: await script("zsh") });
    const out = execFileSync("zsh", ["-f", "-c", asks, "zsh", folder, line], {
      encoding: "utf8",
      timeout: 60_000,
    });
    expect(out).toBe(`${completed}\n`);
  });
});

describe.runIf(isFull && hasShell("fish"))("completion fish in a shell", () => {
  it.each([
    ["promptpack sc", ["schema"]],
    ["promptpack --v", ["--version"]],
    ["promptpack help com", ["compile", "completion"]],
    ["promptpack help lint --f", []],
    ["promptpack lint graph --ou", []],
    ["promptpack graph a.pack.yaml --o", ["--open", "--output"]],
    ["promptpack lint -f s", ["sarif"]],
    ["promptpack validate --preset=s", ["--preset=spec", "--preset=strict"]],
    ["promptpack lint --rule unknown-entry:w", ["unknown-entry:warning"]],
    ["promptpack explain dead", ["dead-guard"]],
    ["promptpack lint my", ["my.pack.yaml"]],
    ["promptpack lint --config my", ["my.pack.yaml"]],
  ])("completes %j", async (line, completed) => {
    const cwd = folderOf({ "my.pack.yaml": "", "promptpack.fish": await script("fish") });
    const asks = "source promptpack.fish; complete -C $argv[1]";
    const out = execFileSync("fish", ["--no-config", "-c", asks, line], { cwd, encoding: "utf8" });
    expect(out.split("\n").flatMap((answer) => answer.split("\t")[0] || [])).toEqual(completed);
  });
});

describe.each(["zsh", "fish"])("completion %s", (shell) => {
  it.runIf(hasShell(shell))("is valid", async () => {
    const file = join(folderOf({}), "script");
    writeFileSync(file, await script(shell));
    expect(spawnSync(shell, ["-n", file], { encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
  });

  it("contains every command, flag and rule of the help", async () => {
    const text = await script(shell);
    const help = (await promptpack(["--help"])).stdout;
    const commands = [...help.matchAll(/^ {2}([a-z]+) .*/gm)].map(([, name = ""]) => name);
    expect(commands).toContain("completion");
    const missing: string[] = [];
    const need = (name: string, part: string) => (text.includes(part) ? undefined : missing.push(name));
    for (const command of commands.filter((name) => name !== "promptpack" && name !== "help")) {
      need(command, shell === "fish" ? `-a ${command} ` : `'${command}:`);
      const flags = (await promptpack([command, "--help"])).stdout.matchAll(/^ {2}(?:-\w, )?--([a-z-]+)/gm);
      const spelled = (flag: string) => (shell === "fish" ? ` -l ${flag} ` : `'*--${flag}`);
      for (const [, flag = ""] of flags) need(flag, spelled(flag));
    }
    for (const { id } of rules) need(id, id);
    expect(missing).toEqual([]);
  });
});

it("supports three shells", async () => {
  expect(await promptpack(["completion", "bsh"])).toEqual({
    code: 2,
    stdout: "",
    stderr: 'promptpack: There is no completion for "bsh". Did you mean "bash"?\n',
  });
  expect((await promptpack(["completion", "powershell"])).stderr).toBe(
    'promptpack: There is no completion for "powershell". Choose "bash", "zsh" or "fish".\n',
  );
});
