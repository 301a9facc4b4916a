import type { Document } from "../../document/document.js";
import type { Key } from "../../document/node.js";
import type { Text } from "../../document/spelled-values.js";
import type { Pack } from "../../pack/pack.js";
import type { Prompt } from "../../pack/prompt.js";
import type { Workflow } from "../../pack/workflow.js";
import { addTo } from "../../maps/add-to.js";
import { guesser, nameAdvice } from "../../words/nearest-name.js";
import { renamingGuesser } from "../../words/renamed-name.js";
import { listNames } from "../../words/wording.js";
import { type IsMisspelt, misspeltPrompts, misspeltStates, nearAdvice } from "./misspelt-definition.js";
import { nearNameFix } from "./near-name-fix.js";
import type { WithFix } from "./with-fix.js";

/** What to do about a name that leads nowhere. */
interface Correction extends WithFix {
  readonly advice?: string | undefined;
}

/** Corrects one name, by its fix where another is near. `except` is known not to be meant. */
type Correct = (name: Text | Key, except?: string) => Correction;

/** Bounds the work of one question, however many states run one prompt. */
const mostStates = 100;

/** For names that are not states: the nearest one, or those that run that prompt. */
export function stateCorrector(pack: Pack, { states, stateNames }: Workflow): Correct {
  let running: Map<string, string[]> | undefined;
  return corrector(
    pack.document,
    stateNames,
    (name, except) => {
      running ??= statesByPrompt(states);
      const all = running.get(name) ?? [];
      const found = all.length > mostStates ? all : all.filter((state) => state !== except);
      if (found.length === 0) return undefined;
      return `It is a prompt, run by the ${found.length === 1 ? "state" : "states"} ${listNames(found, 3)}.`;
    },
    misspeltStates(pack),
  );
}

/** For names that are not prompts: the one that has it as its id, the nearest one, or the one that such a state runs. */
export function promptCorrector(pack: Pack): Correct {
  const { document, prompts, workflow } = pack;
  let identified: Map<string, string[]> | undefined;
  const isMisspelt = misspeltPrompts(pack);
  const correct = corrector(
    document,
    () => prompts.keys(),
    (name) => {
      const prompt = workflow?.stateNamed(name)?.prompt;
      return prompt && `It is a state, which runs the prompt "${prompt.key.text}".`;
    },
    isMisspelt,
  );
  return (name) => {
    identified ??= keysById(prompts.values());
    const [key, ...others] = identified.get(name.text) ?? [];
    return key === undefined || others.length > 0 || isMisspelt(key, name.text)
      ? correct(name)
      : { advice: `Did you mean "${key}", the prompt with that id?`, ...nearNameFix(document, name, [key]) };
  };
}

/** By the nearest of the names that lead somewhere, by what is known of the name itself, or by what it may be called now. */
function corrector(
  document: Document,
  names: () => Iterable<string>,
  about: (name: string, except: string | undefined) => string | undefined,
  isMisspelt: IsMisspelt,
): Correct {
  const guess = guesser();
  const pathEnd = guesser(undefined, endOfPath);
  const renamed = renamingGuesser();
  return (name, except) => {
    const { text } = name;
    const candidates = () => without(except, names());
    const near = guess(text, candidates()) ?? pathEnd(text, candidates());
    if (near === undefined) return { advice: about(text, except) ?? nameAdvice(text, candidates(), renamed) };
    const isAgreed = isMisspelt(near, text);
    return {
      advice: nearAdvice(text, near, isAgreed),
      ...(!isAgreed && nearNameFix(document, name, candidates())),
    };
  };
}

const path = /^(?:#?\/)?(?:workflow[./])?(?:prompts|states)[./]/;

/** What a name leads to that is written as the way to it: `states.review`, `#/prompts/reviewer`. */
function endOfPath(name: string, names: Iterable<string>): string | undefined {
  const end = name.replace(path, "");
  if (end === name) return undefined;
  for (const other of names) if (other === end) return end;
  return undefined;
}

function* without(except: string | undefined, names: Iterable<string>): Iterable<string> {
  for (const name of names) if (name !== except) yield name;
}

function keysById(prompts: Iterable<Prompt>): Map<string, string[]> {
  const byId = new Map<string, string[]>();
  for (const { id, key } of prompts) if (id !== undefined && id.text !== "") addTo(byId, id.text, key.text);
  return byId;
}

function statesByPrompt(states: Workflow["states"]): Map<string, string[]> {
  const byPrompt = new Map<string, string[]>();
  for (const { name, prompt } of states) {
    if (prompt !== undefined) addTo(byPrompt, prompt.key.text, name.text);
  }
  return byPrompt;
}
