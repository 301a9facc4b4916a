import { lint } from "../../src/index.js";
import { head } from "./pack-head.js";

/** What is found in a sound pack whose workflow starts in `s` and has these states, as lines. */
export function findingsInStates(...states: readonly string[]): readonly string[] {
  return lintStates(states).map(({ rule, pointer, message }) => `${rule} ${pointer} ${message}`);
}

/** Of these the ones that have a fix. */
export function fixesInStates(...states: readonly string[]): readonly string[] {
  return lintStates(states).flatMap(({ rule, pointer, fix }) =>
    fix === undefined ? [] : `${rule} ${pointer}`,
  );
}

function lintStates(states: readonly string[]): ReturnType<typeof lint>["diagnostics"] {
  const pack = `${head}prompts:
  a: { id: a, name: A, version: 1.0.0, system_template: Emit Go. }
workflow:
  version: 2
  entry: s
  states:
${states.map((state) => `    ${state}\n`).join("")}`;
  return lint(pack, { file: "pack.yaml" }).diagnostics;
}
