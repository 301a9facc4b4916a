/** What a file may ask of us before we refuse it. */
export interface Limits {
  /** The flag `--max-size`, which messages name here as they do in the command. */
  readonly maxBytes: number;
  /** Levels of nesting: `--max-depth`. */
  readonly maxDepth: number;
  /** Nodes that aliases and merge keys may add: `--max-alias-nodes`. */
  readonly maxAliasNodes: number;
  /** Values as they are written: `--max-values`. Small ones take a hundred times their length in memory. */
  readonly maxValues: number;
}

export const defaultLimits: Limits = {
  maxBytes: 64 * 1024 * 1024,
  maxDepth: 200,
  maxAliasNodes: 100_000,
  maxValues: 5_000_000,
};
