import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { expect, it } from "vitest";
import { folderOf } from "../cli/harness.js";
import { yamlPack } from "../cli/packs.js";
import { fencedBlocks } from "../docs/fenced-blocks.js";
import { hasProgram } from "./clone.js";

const isHere = hasProgram("nvim");
const inCi = (process.env["CI"] ?? "") !== "";

it.runIf(inCi)("has Neovim in CI", () => {
  expect(isHere).toBe(true);
});

/** What docs/editors.md shows is for Neovim 0.8; Debian has 0.7, in which the client has to be attached by hand. */
const older = `vim.lsp.start = vim.lsp.start or function(config)
  vim.lsp.buf_attach_client(0, vim.lsp.start_client(config))
end
`;

/** Waits for findings, prints them, takes the first action that is offered for the entry, and waits for what is left. */
const session = `
local function wait_for(count)
  vim.wait(30000, function() return #vim.diagnostic.get(0) == count end, 20)
  for _, found in ipairs(vim.diagnostic.get(0)) do
    print(string.format("%d:%d %s", found.lnum, found.col, found.message))
  end
end
wait_for(2)
local params = vim.lsp.util.make_range_params()
params.range = { start = { line = 15, character = 9 }, ["end"] = { line = 15, character = 9 } }
params.context = { diagnostics = {} }
for _, answer in pairs(vim.lsp.buf_request_sync(0, "textDocument/codeAction", params, 30000)) do
  print(answer.result[1].title)
  vim.lsp.util.apply_workspace_edit(answer.result[1].edit, "utf-16")
end
wait_for(1)
vim.api.nvim_win_set_cursor(0, { 16, 10 })
vim.lsp.buf.definition()
vim.wait(30000, function() return vim.api.nvim_win_get_cursor(0)[1] ~= 16 end, 20)
print(string.format("%d:%d is the cursor", unpack(vim.api.nvim_win_get_cursor(0))))
vim.cmd("silent write")
vim.cmd("qall")
`;

it.runIf(isHere)(
  "serves Neovim, set up as docs/editors.md shows",
  () => {
    const blocks = fencedBlocks(readFileSync("docs/editors.md", "utf8"));
    const snippet = blocks.find(({ language }) => language === "lua")?.body ?? "";
    const cwd = folderOf({ "a.pack.yaml": yamlPack, "init.lua": older + snippet, "session.lua": session });
    mkdirSync(join(cwd, "bin"));
    symlinkSync(resolve("bin/promptpack.js"), join(cwd, "bin", "promptpack"));
    const args = ["--headless", "--clean", "-u", "init.lua", "a.pack.yaml", "-c", "luafile session.lua"];
    const env = { PATH: `${join(cwd, "bin")}:${process.env["PATH"] ?? ""}`, HOME: cwd, XDG_STATE_HOME: cwd };
    const { status, stdout, stderr } = spawnSync("nvim", args, {
      cwd,
      env,
      encoding: "utf8",
      timeout: 120_000,
    });
    const said = (stdout + stderr).split(/\r?\n/).filter((line) => /^\d+:\d+ |likely/.test(line));
    expect({ status, said }).toEqual({
      status: 0,
      said: [
        '15:9 The workflow starts at "helo", which is not a state. Did you mean "hello"?',
        '20:8 Event "done" is not in PascalCase. Write "Done"; the prompts and the host must change with it.',
        'Replace "helo" with "hello" (likely, not certain)',
        '20:8 Event "done" is not in PascalCase. Write "Done"; the prompts and the host must change with it.',
        "18:4 is the cursor",
      ],
    });
    expect(readFileSync(join(cwd, "a.pack.yaml"), "utf8")).toBe(yamlPack.replace("helo", "hello"));
  },
  180_000,
);
