import type { Finding } from "../../diagnostic.js";
import type { Key } from "../../document/node.js";
import type { LocatedString } from "../../document/spelled-values.js";
import type { Pack } from "../../pack/pack.js";
import type { Workflow } from "../../pack/workflow.js";
import { type NameGuess, createGuesser, nameAdvice } from "../../words/nearest-name.js";
import { nearestNameFix } from "./near-name-fix.js";
import type { WithFix } from "./with-fix.js";

/** Advice and fix for a name that does not exist: the nearest one that does, other than `except`. */
type CorrectName = (name: LocatedString | Key, except?: string) => WithFix & Pick<Finding, "advice">;

export function stateCorrector({ document }: Pack, { stateNames }: Workflow): CorrectName {
  return createCorrector(document, stateNames, createGuesser());
}

export function promptCorrector({ document, prompts }: Pack): CorrectName {
  return createCorrector(document, () => prompts.keys(), createGuesser());
}

function createCorrector(document: Pack["document"], names: () => Iterable<string>, guess: NameGuess): CorrectName {
  return (name, except) => {
    const candidates = [...names()].filter((candidate) => candidate !== except);
    return { advice: nameAdvice(name.text, candidates, guess), ...nearestNameFix(document, name, candidates) };
  };
}
