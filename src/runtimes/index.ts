import { langchainJs, langchainPython } from "./langchain.js";
import { promptkit } from "./promptkit.js";
import { type RuntimeName, workflowRuntimeNames } from "./names.js";
import type { Runtime } from "./runtime.js";

const byName: Readonly<Record<RuntimeName, Runtime>> = {
  promptkit,
  "langchain-js": langchainJs,
  "langchain-python": langchainPython,
};

export const allRuntimes: readonly Runtime[] = Object.values(byName);

export const workflowRuntimes: readonly Runtime[] = workflowRuntimeNames.map(runtimeNamed);

export function runtimeNamed(name: RuntimeName): Runtime {
  return byName[name];
}

/** What rules know about where a pack will run. */
export interface Target {
  /** None turns off what depends on runtimes. */
  readonly runtimes: readonly Runtime[];
  /** Whether the config or a flag names them. */
  readonly isChosen: boolean;
  /** Types of a team's own, which are known everywhere. */
  readonly validatorTypes: ReadonlySet<string>;
  readonly evalTypes: ReadonlySet<string>;
}

export interface TargetNames {
  readonly runtimes?: readonly RuntimeName[] | undefined;
  readonly validatorTypes?: readonly string[] | undefined;
  readonly evalTypes?: readonly string[] | undefined;
}

export function targetOf({ runtimes, validatorTypes, evalTypes }: TargetNames): Target {
  return {
    runtimes: [...new Set(runtimes ?? ["promptkit" as const])].map(runtimeNamed),
    isChosen: runtimes !== undefined,
    validatorTypes: new Set(validatorTypes),
    evalTypes: new Set(evalTypes),
  };
}

export const defaultTarget = targetOf({});
