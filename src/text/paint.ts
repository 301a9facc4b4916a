import { Chalk } from "chalk";
import type { Severity } from "../diagnostic.js";
import { isWebAddress } from "./web-address.js";

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

export function paintFor(options: { readonly color: boolean; readonly links: boolean }): Paint {
  const chalk = new Chalk({ level: options.color ? 1 : 0 });
  return {
    path: chalk.bold.underline,
    faint: chalk.dim,
    strong: chalk.bold,
    clean: chalk.green,
    severity: { error: chalk.red, warning: chalk.yellow, info: chalk.cyan },
    link: (text, to) =>
      options.links && isWebAddress(to) ? `\u001b]8;;${to}\u001b\\${text}\u001b]8;;\u001b\\` : text,
  };
}
