import { parseSyntax, readTemplate, type Syntax } from "../../src/template/read-template.js";

/** One line per reference and fault, with the text they point at: `name user @6-10`. */
export function show(text: string, syntax: Syntax | undefined = parseSyntax("{{variable}}")): string[] {
  if (syntax === undefined) throw new Error("not a syntax");
  const { references, errors } = readTemplate(text, syntax);
  return [
    ...references.map((reference) => {
      const { kind, name, start, end, nameStart, nameEnd, local } = reference;
      if (text.slice(nameStart, nameEnd) !== name)
        throw new Error(`"${name}" does not stand at ${nameStart}`);
      const inner = start === nameStart && end === nameEnd ? "" : ` in "${text.slice(start, end)}"`;
      return `${local === true ? "local " : ""}${kind} ${name}${inner} @${start}-${end}`;
    }),
    ...errors.map(({ start, end, message }) => `fault @${start}-${end} ${message}`),
  ];
}
