import type { DeviationOf } from "../../replay/deviation.js";
import { listNames } from "../../words/wording.js";
import type { RunRule } from "../rule.js";

const deeds = {
  set: "is set",
  changed: "changes",
  overwritten: "is overwritten",
  gone: "disappears",
  severalGone: "disappear",
};
const facts = {
  set: "was set",
  changed: "has changed",
  overwritten: "was overwritten",
  gone: "has disappeared",
  severalGone: "have disappeared",
};

export const runArtifactChange: RunRule = {
  id: "run-artifact-change",
  subject: "run",
  summary:
    "An artifact changes only on leaving a state that declares it, and with the mode `append` it only grows.",
  severity: "error",
  source: "RFC 0009, artifact lifecycle: update",
  *check(replay) {
    for (const deviation of replay.deviations("artifact")) {
      const { at, names, left, when } = deviation;
      const subject = `The artifact${names.length > 1 ? "s" : ""} ${listNames(names)}`;
      const change = changeIn(deviation);
      const message = {
        leaving: `${subject} ${deeds[change]} on leaving "${left}"${objectionTo(deviation)}.`,
        since: `${subject} ${facts[change]} since the last transition${objectionTo(deviation)}.`,
        closed: `${subject} ${facts[change]} since the last transition, but the run has not left "${left}".`,
      }[when];
      yield { at, message };
    }
  },
};

function changeIn({ names, change, mode }: DeviationOf<"artifact">): keyof typeof deeds {
  if (change === "gone" && names.length > 1) return "severalGone";
  return change === "changed" && mode === "append" ? "overwritten" : change;
}

function objectionTo({ names, left, mode, change }: DeviationOf<"artifact">): string {
  const [it, they] = names.length > 1 ? ["them", "they"] : ["it", "it"];
  if (mode === undefined) return `, although "${left}" does not declare ${it}`;
  if (mode === "replace") return ": a state can overwrite an artifact, not remove it";
  const rule = change === "gone" ? `${they} may only grow` : "the new value must begin with the old one";
  return `, although "${left}" declares ${it} with the mode "append": ${rule}`;
}
