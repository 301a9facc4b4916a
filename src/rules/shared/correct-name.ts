import type { Finding } from "../../diagnostic.js";
import type { Key } from "../../document/node.js";
import type { Text } from "../../document/spelled-values.js";
import type { Pack } from "../../pack/pack.js";
import type { Workflow } from "../../pack/workflow.js";
import { type Guess, guesser, nameAdvice } from "../../words/nearest-name.js";
import { nearNameFix } from "./near-name-fix.js";
import type { WithFix } from "./with-fix.js";

/** Advice and fix for a name that does not exist: the nearest one that does, other than `except`. */
type Correct = (name: Text | Key, except?: string) => WithFix & Pick<Finding, "advice">;

export function stateCorrector({ document }: Pack, { stateNames }: Workflow): Correct {
  return corrector(document, stateNames, guesser());
}

export function promptCorrector({ document, prompts }: Pack): Correct {
  return corrector(document, () => prompts.keys(), guesser());
}

function corrector(document: Pack["document"], names: () => Iterable<string>, guess: Guess): Correct {
  return (name, except) => {
    const candidates = [...names()].filter((candidate) => candidate !== except);
    return { advice: nameAdvice(name.text, candidates, guess), ...nearNameFix(document, name, candidates) };
  };
}
