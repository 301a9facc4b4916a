import type { PackRule } from "./rule.js";

export const unusedArtifact: PackRule = {
  id: "unused-artifact",
  subject: "pack",
  summary: "Every artifact is read by some template.",
  severity: "info",
  source: "RFC 0009, artifact lifecycle",
  *check({ artifacts, delimiters, readings }) {
    if (delimiters === undefined) return;
    // While a read dangles, it may be the misspelt name of this one.
    const dangles = [...artifacts.readNames].some((name) => !artifacts.declared.has(name));
    if (dangles || !readings.complete) return;
    for (const [name, [first, ...others]] of artifacts.declared) {
      if (first === undefined || artifacts.readNames.has(name)) continue;
      yield {
        at: first.artifact.name,
        message: `No template reads the artifact "${name}". Read it as {{artifacts.${name}}}, or remove it.`,
        related: others.map(({ state, artifact }) => ({
          at: artifact.name,
          message: `"${state.name.text}" declares it too`,
        })),
      };
    }
  },
};
