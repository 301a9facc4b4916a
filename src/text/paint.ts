import type { Severity } from "../diagnostic.js";

type Style = (text: string) => string;

export interface Paint {
  readonly path: Style;
  readonly dim: Style;
  readonly bold: Style;
  readonly code: Style;
  readonly success: Style;
  readonly severity: Readonly<Record<Severity, Style>>;
  readonly link: (text: string, address: string | undefined) => string;
}

/** An address that needs no escaping inside a link. */
const linkUrl = /^(?:https?|file):\/\/[!-;=?-~]+$/;

const unstyled: Style = (text) => text;

export const plainPaint: Paint = {
  path: unstyled,
  dim: unstyled,
  bold: unstyled,
  // Without colour, a lone `:` would be overlooked.
  code: (text) => `\`${text}\``,
  success: unstyled,
  severity: { error: unstyled, warning: unstyled, info: unstyled },
  link: unstyled,
};

/** Loads the colour library only if it is needed. `links`: the terminal supports OSC 8 links. */
export async function loadPaint(options: {
  readonly color: boolean;
  readonly links: boolean;
}): Promise<Paint> {
  if (!options.color && !options.links) return plainPaint;
  const { Chalk } = await import("chalk");
  const chalk = new Chalk({ level: options.color ? 1 : 0 });
  return {
    path: chalk.bold.underline,
    dim: chalk.dim,
    bold: chalk.bold,
    code: options.color ? chalk.cyan : plainPaint.code,
    success: chalk.green,
    severity: { error: chalk.red, warning: chalk.yellow, info: chalk.cyan },
    link: (text, to) =>
      options.links && to !== undefined && linkUrl.test(to)
        ? `\u001b]8;;${to}\u001b\\${text}\u001b]8;;\u001b\\`
        : text,
  };
}
