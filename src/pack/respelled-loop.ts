import { type JinjaBlock, type Respelling, respelled } from "../template/jinja-blocks.js";
import { nameBehind, type Reading } from "./prompt.js";

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
