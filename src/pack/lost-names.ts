import { addTo } from "../words/add-to.js";
import type { Pack } from "./pack.js";
import type { Prompt, Reading } from "./prompt.js";

/** Of each prompt, the names that it reads and that lead nowhere: they may be meant for what seems unused. */
export function lostNames({ templates, artifacts }: Pack): ReadonlyMap<Prompt, readonly string[]> {
  const lost = new Map<Prompt, string[]>();
  for (const { reading, prompts } of templates.undeclared) {
    const names = namesIn(reading);
    for (const prompt of prompts) for (const name of names) addTo(lost, prompt, name);
  }
  for (const { name, prompt, certain } of artifacts.reads)
    if (certain && !artifacts.declared.has(name)) addTo(lost, prompt, name);
  return lost;
}

/** The name, and that behind it: `{{artifact.plan}}` may stand for `artifacts.plan`, `{{variables.city}}` for `city`. */
function namesIn(reading: Reading): readonly string[] {
  const behind = nameBehind(reading);
  return behind === undefined ? [reading.reference.name] : [reading.reference.name, behind];
}

const longestInside = 100;

/** The second segment of a path. */
export function nameBehind({ reference, source }: Reading): string | undefined {
  const behind = source.text.text.slice(reference.end, reference.end + longestInside);
  return /^\.([^\s.{}()[\]|]+)/.exec(behind)?.[1];
}
