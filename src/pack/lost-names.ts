import { type JinjaBlock, type Respelling, respelled } from "../template/jinja-blocks.js";
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

/**
 * The name, and that behind it: `{{artifact.plan}}` may stand for `artifacts.plan`, `{{variables.city}}` for `city`. Of an
 * item of `{% for item in list %}` the list, too: who writes that as a block uses it.
 */
function namesIn(reading: Reading): readonly string[] {
  const behind = nameBehind(reading);
  const walked = loopAround(reading)?.names ?? [];
  return [reading.reference.name, ...(behind === undefined ? [] : [behind]), ...walked];
}

/** How `{% for item in list %}…{{item}}…{% endfor %}` is written where the item is read. */
export function respelledLoop(reading: Reading): Respelling | undefined {
  const block = loopAround(reading);
  const list = block?.names[0];
  if (block === undefined || list === undefined) return undefined;
  const { name } = reading.reference;
  if (block.locals.length > 1 || name === loopItself) return respelled(block, list);
  const behind = nameBehind(reading);
  const rest = behind === undefined ? "}}" : `.${behind}}}`;
  return respelled(block, list, { right: `{{this${rest}`, written: `{{${name}${rest}` });
}

/** What Jinja calls a loop by inside of it. */
const loopItself = "loop";

function loopAround({ reference: { name, start }, source }: Reading): JinjaBlock | undefined {
  return source.jinjaBlocks.findLast(
    (block) =>
      block.keyword === "for" &&
      (name === loopItself || block.locals.includes(name)) &&
      block.start < start &&
      start < block.end,
  );
}

const longestInside = 100;

/** The second segment of a path. */
export function nameBehind({ reference, source }: Reading): string | undefined {
  const behind = source.text.text.slice(reference.end, reference.end + longestInside);
  return /^\.([^\s.{}()[\]|]+)/.exec(behind)?.[1];
}
