import {
  ProcessExecution,
  Task,
  type TaskDefinition,
  TaskPanelKind,
  TaskRevealKind,
  tasks,
  TaskScope,
  type TextDocument,
  window,
  workspace,
} from "vscode";
import type { Program } from "./program.js";

/** Runs `promptpack simulate` in a terminal. As a task, because the terminal of a task stays open when the run is over. */
export async function simulate(document: TextDocument, program: Program): Promise<void> {
  // There is no way to escape it: VS Code replaces the variables of every task, and runs what a `${command:…}` names.
  if (document.uri.fsPath.includes("${")) {
    const message =
      'VS Code takes "${" in a path for a variable: rename the file or its folder to simulate it.';
    void window.showErrorMessage(message);
    return;
  }
  if (!(await isSaved(document))) return;
  const task = simulationOf(document, program);
  const running = tasks.taskExecutions.filter(({ task: { name, source } }) => {
    return name === task.name && source === task.source;
  });
  for (const execution of running) execution.terminate();
  await tasks.executeTask(task);
}

/** What is simulated is the file on the disk. */
async function isSaved(document: TextDocument): Promise<boolean> {
  if (!document.isDirty) return true;
  const answer = await window.showInformationMessage(
    "Save this file to simulate it?",
    { modal: true },
    "Save",
  );
  return answer === "Save" && document.save();
}

function simulationOf({ uri }: TextDocument, { command, args, env }: Program): Task {
  const definition: TaskDefinition = { type: "process" };
  const execution = new ProcessExecution(command, [...args, "simulate", uri.fsPath], { env: { ...env } });
  const scope = workspace.getWorkspaceFolder(uri) ?? TaskScope.Workspace;
  const task = new Task(
    definition,
    scope,
    `Simulate ${workspace.asRelativePath(uri)}`,
    "promptpack",
    execution,
  );
  task.presentationOptions = {
    reveal: TaskRevealKind.Always,
    focus: true,
    panel: TaskPanelKind.Dedicated,
    clear: true,
    echo: false,
  };
  return task;
}
