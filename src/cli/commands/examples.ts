const helpWidth = 80;

/** The examples at the end of a command's help: a command line and what it does, above it where there is no room. */
export function formatExamples(lines: readonly (readonly [command: string, meaning: string])[]): string {
  const width = Math.max(...lines.map(([command]) => command.length));
  const rows = lines.map(([command, meaning]) => `  ${command.padEnd(width)}  # ${meaning}`);
  const fits = rows.every((row) => row.length <= helpWidth);
  const stacked = lines.map(([command, meaning]) => `  # ${meaning}\n  ${command}`);
  return `\nExamples:\n${(fits ? rows : stacked).join("\n")}`;
}
