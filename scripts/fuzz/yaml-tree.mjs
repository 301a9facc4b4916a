import { names, words } from "./vocabulary.mjs";

/** Any YAML there is, in any style. */
export function yamlTree(random) {
  const tree = { random, left: 60 };
  const lines = random.list(8, () => `${yamlKey(random)}:${yamlValue(tree, 2)}\n`);
  return (random.chance(10) ? "---\n" : "") + lines.join("") + (random.chance(5) ? "...\n" : "");
}

function yamlKey(random) {
  const name = random.chance(50)
    ? random.pick(["id", "prompts", "workflow", "states", "tools", "a", "<<"])
    : random.pick(names);
  return random.chance(30)
    ? JSON.stringify(name)
    : random.chance(10)
      ? `'${name.replaceAll("'", "''")}'`
      : /^[\w<]+$/.test(name)
        ? name
        : JSON.stringify(name);
}

function yamlValue(tree, indent) {
  const { random } = tree;
  const pad = " ".repeat(indent);
  const properties = `${random.chance(8) ? ` &${random.pick(["a", "b"])}` : ""}${random.chance(4) ? ` ${random.pick(["!!str", "!!int", "!!map", "!x", "!!seq"])}` : ""}`;
  if (--tree.left < 0 || indent > 16) return " 1";
  switch (random.below(10)) {
    case 0:
      return ` *${random.pick(["a", "b"])}`;
    case 1:
      return `${properties} |${random.pick(["", "-", "+", "2"])}\n${random.list(4, () => `${pad}${random.pick(words).replace(/[\r\n]/g, "")}\n`).join("")}`.replace(
        /\n$/,
        "",
      );
    case 2:
      return `${properties} >${random.pick(["", "-", "+"])}\n${random.list(4, () => `${pad}${random.pick(["a", "  b", "", "{{x}}"])}\n`).join("")}`.replace(
        /\n$/,
        "",
      );
    case 3:
      return `${properties} [${random.list(4, () => flowValue(tree)).join(", ")}]`;
    case 4:
      return `${properties} {${random.list(4, () => `${yamlKey(random)}: ${flowValue(tree)}`).join(", ")}}`;
    case 5:
      return `${properties}${random.list(4, () => `\n${pad}-${yamlValue(tree, indent + 2)}`).join("")}`;
    case 6:
    case 7:
      return `${properties}${random.list(5, () => `\n${pad}${yamlKey(random)}:${yamlValue(tree, indent + 2)}`).join("")}`;
    case 8:
      return `${properties} ${JSON.stringify(random.pick(words))}`;
    default:
      return `${properties} ${random.pick(["", "x", "1", "true", "~", "plain text", "# comment", "2001-01-01"])}`;
  }
}

function flowValue(tree) {
  const { random } = tree;
  if (--tree.left < 0) return "0";
  if (random.chance(20)) return `[${random.list(3, () => flowValue(tree)).join()}]`;
  if (random.chance(20))
    return `{${random.list(3, () => `${yamlKey(random)}: ${flowValue(tree)}`).join(", ")}}`;
  return random.pick(["1", "x", '"y"', "*a", "", "'z'", "~"]);
}
