import { BadInput } from "../text/wording.js";

/** `name=value`. */
export interface Assignment {
  readonly name: string;
  readonly value: string;
}

/** An event of a run that is given in advance, and what the state it leaves writes before. */
export interface ScriptedEvent {
  readonly event: string;
  readonly assignments: readonly Assignment[];
}

/**
 * `PlanReady,CodeReady[commit_sha=abc123],TestsFailed[test_report=2/5 pass][log=…]`. White space around a name does
 * not count; brackets in a value come in pairs, as in JSON; a backslash takes the next character as it is.
 */
export function parseEventList(text: string): readonly ScriptedEvent[] {
  const events: ScriptedEvent[] = [];
  const reader = new Scanner(text);
  while (!reader.done) {
    const event = reader.readUntil(",[");
    const assignments: Assignment[] = [];
    while (reader.consume("[")) {
      const inside = reader.readUntil("]=");
      if (!reader.consume("="))
        throw new BadInput(`"[${inside}]" in the events is not an assignment: write [name=value].`);
      const value = reader.readValue();
      if (!reader.consume("]"))
        throw new BadInput(
          `"[${inside}=${value}" in the events is not closed: add "]", or write \\[ for a lone bracket in a value.`,
        );
      assignments.push({ name: inside, value });
      reader.skipSpaces();
    }
    if (!reader.done && !reader.consume(",")) {
      throw new BadInput(
        `"${reader.rest}" in the events follows a "]": put a comma between two events, or write \\] if the bracket is part of a value.`,
      );
    }
    if (event === "" && assignments.length === 0 && reader.done && events.length > 0) break;
    if (event === "") throw new BadInput("There is an empty name among the events.");
    events.push({ event, assignments });
  }
  return events;
}

/** `name=value`; the value is everything behind the first `=`. */
export function parseAssignment(text: string): Assignment {
  const sign = text.indexOf("=");
  if (sign < 1) throw new BadInput(`"${text}" is not an assignment: write name=value.`);
  return { name: text.slice(0, sign).trim(), value: text.slice(sign + 1) };
}

class Scanner {
  private at = 0;

  constructor(private readonly text: string) {}

  get done(): boolean {
    return this.at >= this.text.length;
  }

  get rest(): string {
    return this.text.slice(this.at);
  }

  consume(character: string): boolean {
    if (this.text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  skipSpaces(): void {
    while (/\s/u.test(this.text.charAt(this.at))) this.at++;
  }

  /** Up to one of these characters, which is not taken. What stands behind a backslash is never trimmed. */
  readUntil(stops: string): string {
    this.skipSpaces();
    let taken = "";
    let kept = 0;
    while (!this.done && !stops.includes(this.text.charAt(this.at))) {
      const { character, escaped } = this.next();
      taken += character;
      if (escaped || /\S/u.test(character)) kept = taken.length;
    }
    return taken.slice(0, kept);
  }

  /** Up to the bracket that closes it, which is not taken. */
  readValue(): string {
    let taken = "";
    let open = 0;
    while (!this.done && (open > 0 || this.text[this.at] !== "]")) {
      const { character, escaped } = this.next();
      taken += character;
      if (!escaped) open += Number(character === "[") - Number(character === "]");
    }
    return taken;
  }

  private next(): { readonly character: string; readonly escaped: boolean } {
    const escaped = this.text[this.at] === "\\" && this.at + 1 < this.text.length;
    if (escaped) this.at++;
    return { character: this.text.charAt(this.at++), escaped };
  }
}
