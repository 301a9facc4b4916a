import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { expect, it } from "vitest";
import { folderOf, promptpack } from "../cli/harness.js";
import { yamlPack } from "../cli/packs.js";
import { cleanProject, filesBelow } from "../cli/projects.js";
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

/**
 * Waits for findings, prints them, takes the first action that is offered for the entry, and waits for what is left. Goes
 * to a definition, hovers, renames, and completes a name.
 */
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
local at_entry = { textDocument = vim.lsp.util.make_text_document_params(), position = { line = 15, character = 10 } }
for _, answer in pairs(vim.lsp.buf_request_sync(0, "textDocument/hover", at_entry, 30000)) do
  for _, line in ipairs(vim.lsp.util.convert_input_to_markdown_lines(answer.result.contents)) do print("hover " .. line) end
end
vim.api.nvim_win_set_cursor(0, { 16, 10 })
vim.lsp.buf.rename("start")
vim.wait(30000, function() return vim.api.nvim_buf_get_lines(0, 15, 16, true)[1] == "  entry: start" end, 20)
print("renamed")
-- Types a state and asks for the prompt that it runs. Neovim reads the keys when this script has ended.
vim.bo.omnifunc = "v:lua.vim.lsp.omnifunc"
vim.o.completeopt = "menu"
vim.bo.indentexpr = ""
vim.bo.autoindent = false
vim.api.nvim_win_set_cursor(0, { 17, 0 })
local keys = "o    third:<CR>      prompt_task: b<C-x><C-o>"
vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(keys, true, true, true), "n", false)
local function finish(tries)
  local typed = vim.api.nvim_buf_get_lines(0, 18, 19, true)[1]
  if typed ~= "      prompt_task: bye" and tries > 0 then
    vim.defer_fn(function() finish(tries - 1) end, 20)
  else
    vim.cmd("silent write")
    vim.cmd("qall!")
  end
end
finish(1500)
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
    const said = (stdout + stderr).split(/\r?\n/).filter((line) => /^\d+:\d+ |^hover |likely/.test(line));
    expect({ status, said }).toEqual({
      status: 0,
      said: [
        '15:9 The workflow starts at "helo", which is not a state. Did you mean "hello"?',
        '20:8 Event "done" is not in PascalCase. Write "Done"; the prompts and the host must change with it.',
        'Replace "helo" with "hello" (likely, not certain)',
        '20:8 Event "done" is not in PascalCase. Write "Done"; the prompts and the host must change with it.',
        "18:4 is the cursor",
        "hover **state** `hello`",
        "hover ",
        "hover - prompt_task: `greet`",
        "hover - `done` → `end`",
        "hover - most visits: 1",
      ],
    });
    expect(readFileSync(join(cwd, "a.pack.yaml"), "utf8")).toBe(
      yamlPack
        .replace("helo", "start")
        .replace("    hello:", "    third:\n      prompt_task: bye\n    start:"),
    );
  },
  180_000,
);

/** Renames the task type in a prompt, and writes all buffers that this changed. */
const renaming = `
vim.wait(30000, function() return #vim.lsp.buf_get_clients(0) > 0 end, 20)
vim.wait(500)
vim.api.nvim_win_set_cursor(0, { 6, 14 })
vim.lsp.buf.rename("choose")
vim.wait(30000, function() return vim.api.nvim_buf_get_lines(0, 5, 6, true)[1] == "  task_type: choose" end, 20)
vim.cmd("silent wall")
vim.cmd("qall!")
`;

it.runIf(isHere)(
  "renames a task type in all files of a project",
  async () => {
    const blocks = fencedBlocks(readFileSync("docs/editors.md", "utf8"));
    const snippet = blocks.find(({ language }) => language === "lua")?.body ?? "";
    const cwd = folderOf({ ...cleanProject, "init.lua": older + snippet, "session.lua": renaming });
    mkdirSync(join(cwd, "bin"));
    symlinkSync(resolve("bin/promptpack.js"), join(cwd, "bin", "promptpack"));
    const args = [
      "--headless",
      "--clean",
      "-u",
      "init.lua",
      "prompts/book.yaml",
      "-c",
      "luafile session.lua",
    ];
    const env = { PATH: `${join(cwd, "bin")}:${process.env["PATH"] ?? ""}`, HOME: cwd, XDG_STATE_HOME: cwd };
    const { status, stderr } = spawnSync("nvim", args, { cwd, env, encoding: "utf8", timeout: 120_000 });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const texts = filesBelow(cwd);
    const changed = Object.keys(cleanProject).filter((name) => texts[name] !== cleanProject[name]);
    expect(changed).toEqual(["arena.yaml", "prompts/book.yaml"]);
    expect(texts["arena.yaml"]).toContain("prompt_task: choose");
    expect(await promptpack(["lint", "-f", "compact"], { cwd })).toEqual({ code: 0, stdout: "", stderr: "" });
  },
  180_000,
);
