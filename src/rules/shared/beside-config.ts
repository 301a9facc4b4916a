import type { LoopSettings } from "../../routes/routes-file.js";

/** Advice about a setting that the `config` of the loop lacks, where it stands a level too high. */
export function besideConfig({ plugin }: LoopSettings, name: string): string | undefined {
  return plugin.get(name) === undefined ? undefined : 'It stands beside "config": move it inside.';
}
