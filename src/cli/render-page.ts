/** A rule's page for the terminal: headings stand out, code is indented, the rest reads as it is written. */
export function renderPage(markdown: string, color: boolean): string {
  const bold = (text: string) => (color ? `\u001b[1m${text}\u001b[22m` : text);
  const dim = (text: string) => (color ? `\u001b[2m${text}\u001b[22m` : text);
  const lines: string[] = [];
  let fence: string | undefined;
  for (const line of markdown.trim().split(/\r?\n/u)) {
    const marker = /^(`{3,}|~{3,})/u.exec(line)?.[1];
    const heading = /^#{1,6} +(.*)$/u.exec(line)?.[1];
    if (fence !== undefined && line.startsWith(fence)) fence = undefined;
    else if (fence !== undefined) lines.push(line === "" ? "" : dim(`    ${line}`));
    else if (marker !== undefined) fence = marker;
    else if (line.startsWith("<!--") && line.endsWith("-->")) continue;
    else lines.push(heading === undefined ? plainLinks(line) : bold(heading));
  }
  return lines.join("\n") + "\n";
}

/** `[words](address)` keeps the address only where it leads out of the package. */
function plainLinks(line: string): string {
  return line.replace(/\[([^\]]*)\]\(([^)\s]*)\)/gu, (_, words: string, address: string) =>
    /^https?:/u.test(address) ? `${words} (${address})` : words,
  );
}
