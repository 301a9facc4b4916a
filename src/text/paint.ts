import type { Severity } from "../diagnostic.js";

type Brush = (text: string) => string;

/** Colours by what they mean, or none. */
export interface Paint {
  readonly path: Brush;
  readonly faint: Brush;
  readonly strong: Brush;
  readonly clean: Brush;
  readonly severity: Readonly<Record<Severity, Brush>>;
  readonly link: (text: string, address: string | undefined) => string;
}

/** What can be written into a link as it is, and ends none. */
const address = /^(?:https?|file):\/\/[!-;=?-~]+$/;

const asItIs: Brush = (text) => text;

export const plainPaint: Paint = {
  path: asItIs,
  faint: asItIs,
  strong: asItIs,
  clean: asItIs,
  severity: { error: asItIs, warning: asItIs, info: asItIs },
  link: asItIs,
};

/** Where neither is wanted, nothing is loaded for it. `links`: the terminal shows OSC 8 links. */
export async function loadPaint(options: {
  readonly color: boolean;
  readonly links: boolean;
}): Promise<Paint> {
  if (!options.color && !options.links) return plainPaint;
  const { Chalk } = await import("chalk");
  const chalk = new Chalk({ level: options.color ? 1 : 0 });
  return {
    path: chalk.bold.underline,
    faint: chalk.dim,
    strong: chalk.bold,
    clean: chalk.green,
    severity: { error: chalk.red, warning: chalk.yellow, info: chalk.cyan },
    link: (text, to) =>
      options.links && to !== undefined && address.test(to)
        ? `\u001b]8;;${to}\u001b\\${text}\u001b]8;;\u001b\\`
        : text,
  };
}
