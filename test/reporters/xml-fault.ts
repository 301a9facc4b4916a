const tag =
  /<(\/?)([A-Za-z][\w.-]*)((?:\s+[A-Za-z][\w.-]*="(?:[^<&"]|&(?:amp|lt|gt|quot|apos|#\d+);)*")*)\s*(\/?)>/y;
const characters = /(?:[^<&]|&(?:amp|lt|gt|quot|apos|#\d+);)+/y;
const forbidden = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u;

/** Why a document of elements, attributes and text is not well-formed XML, or nothing when it is. */
export function xmlFault(text: string): string | undefined {
  if (forbidden.test(text)) return "forbidden character";
  if (text.includes("]]>")) return "stray ]]>";
  const open: string[] = [];
  let roots = 0;
  let at = /^<\?xml[^?]*\?>\s*/.exec(text)?.[0].length ?? 0;
  while (at < text.length) {
    tag.lastIndex = characters.lastIndex = at;
    const words = characters.exec(text);
    if (words !== null) {
      if (open.length === 0 && words[0].trim() !== "") return `text outside the root at ${at}`;
      at = characters.lastIndex;
      continue;
    }
    const found = tag.exec(text);
    if (found === null) return `no tag at ${at}`;
    const [, closing, name = "", attributes = "", empty] = found;
    const names = [...attributes.matchAll(/([\w.-]+)="[^"]*"/g)].map((match) => match[1]);
    if (new Set(names).size < names.length) return `attribute twice at ${at}`;
    if (closing === "" && open.length === 0) roots++;
    if (closing === "/" ? open.pop() !== name : empty === "" && open.push(name) === 0)
      return `wrong end at ${at}`;
    at = tag.lastIndex;
  }
  return open.length > 0 ? "unclosed" : roots === 1 ? undefined : "not one root";
}
