/** Draws a number from 0 to `below - 1`. */
export type Draw = (below: number) => number;

/** Writes data as YAML in one of the many ways people write it: comments, blank lines, any quotes, blocks or braces. */
export class OddYaml {
  private comments = 0;

  constructor(
    private readonly draw: Draw,
    /** Comments to be strewn in among the others. */
    private readonly asides: readonly string[],
  ) {}

  document(data: object): string {
    const unit = " ".repeat(1 + this.draw(4));
    const lines = this.block(data, "", unit);
    const text = lines.join("\n") + (this.chance(4) ? "" : "\n");
    return this.chance(4) ? text.replaceAll("\n", "\r\n") : text;
  }

  private block(data: object, indent: string, unit: string): string[] {
    const entries = Object.entries(data) as [string, unknown][];
    return entries.flatMap(([name, value]) => {
      const above = this.chance(5) ? [`${this.chance(3) ? "" : indent}${this.comment()}`] : [];
      const blank = this.chance(9) ? [""] : [];
      return [...above, ...blank, ...this.entry(this.text(name), value, indent, unit)];
    });
  }

  private entry(key: string, value: unknown, indent: string, unit: string): string[] {
    const behind = this.chance(6) ? ` ${this.comment()}` : "";
    if (Array.isArray(value)) return [`${indent}${key}: ${this.inline(value)}${behind}`];
    if (typeof value !== "object" || value === null)
      return [`${indent}${key}: ${this.inline(value)}${behind}`];
    const entries = Object.entries(value) as [string, unknown][];
    if (entries.length === 0 || this.chance(4)) return [`${indent}${key}: ${this.inline(value)}${behind}`];
    if (this.chance(6)) return this.brokenBraces(key, entries, indent);
    return [`${indent}${key}:${behind}`, ...this.block(value, indent + unit, unit)];
  }

  /** Braces over several lines. */
  private brokenBraces(key: string, entries: readonly [string, unknown][], indent: string): string[] {
    const lines = entries.map(([name, value], index) => {
      const comma = index < entries.length - 1 || this.chance(3) ? "," : "";
      return `${indent}  ${this.text(name)}: ${this.inline(value)}${comma}${this.chance(3) ? ` ${this.comment()}` : ""}`;
    });
    return [`${indent}${key}: {`, ...lines, `${indent} }`];
  }

  private inline(value: unknown): string {
    if (typeof value === "string") return this.text(value);
    if (typeof value !== "object" || value === null) return JSON.stringify(value);
    const space = this.chance(2) ? " " : "";
    if (Array.isArray(value)) return `[${value.map((item: unknown) => this.inline(item)).join(`,${space}`)}]`;
    const entries = Object.entries(value) as [string, unknown][];
    if (entries.length === 0) return "{}";
    const parts = entries.map(([name, item]) => `${this.text(name)}: ${this.inline(item)}`);
    return `{${space}${parts.join(", ")}${this.chance(6) ? "," : ""}${space}}`;
  }

  private text(text: string): string {
    if (/^[A-Za-z]\w*$/.test(text) && !this.chance(4)) return text;
    return this.chance(2) ? `'${text.replaceAll("'", "''")}'` : JSON.stringify(text);
  }

  private comment(): string {
    const aside = this.chance(5) ? this.asides[this.draw(this.asides.length)] : undefined;
    return aside ?? `# note ${++this.comments}: it's "here"`;
  }

  private chance(one: number): boolean {
    return this.draw(one) === 0;
  }
}
