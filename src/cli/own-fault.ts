import { withoutLimitFlag } from "./limit-flag.js";

const shapes = {
  config: "config is an object with keys such as extends and rules",
  baseline: 'baseline is an object with a list "findings"',
  run: "run is an object with keys such as run_id and state",
};

/** Why a file of ours cannot be read: the reader speaks of packs, and of flags that are for packs. */
export function ownFault(message: string, what: keyof typeof shapes): string {
  return withoutLimitFlag(message)
    .replace("pack is an object with keys such as id and prompts", shapes[what])
    .replace("put each pack into a file of its own", `a ${what} is one`);
}
