import { type JinjaBlock, type Respelling, respelled } from "../template/jinja-blocks.js";
import { declares, nameBehind, type Prompt, type Reading } from "./prompt.js";

/**
 * How `{% for item in list %}…{{item}}…{% endfor %}` is written where the prompts read the item. Nothing if they do not
 * declare the list, which may be an item itself.
 */
export function respelledLoop(reading: Reading, prompts: readonly Prompt[]): Respelling | undefined {
  const loop = loopAround(reading);
  if (loop === undefined || !prompts.every((prompt) => declares(prompt, loop.name))) return undefined;
  const { name } = reading.reference;
  if (name === loopItself) return respelled(loop);
  const behind = nameBehind(reading);
  const rest = behind === undefined ? "}}" : `.${behind}}}`;
  return respelled(loop, { right: `{{this${rest}`, written: `{{${name}${rest}` });
}

/** What Jinja calls a loop by inside of it. */
const loopItself = "loop";

function loopAround({ reference: { name, start }, source }: Reading): JinjaBlock | undefined {
  return source.jinjaBlocks.findLast(
    (block) =>
      block.start < start &&
      start < block.end &&
      block.item !== undefined &&
      (block.item === name || name === loopItself),
  );
}
