import type { Random } from "./random.mjs";

export function hostileBytes(random: Random, seeds: readonly Uint8Array[]): Uint8Array;
export function yamlTree(random: Random): string;
export function packText(random: Random): string;
export function commandLine(
  random: Random,
  seeds: readonly Uint8Array[],
): {
  readonly args: readonly string[];
  readonly files: readonly (readonly [string, Uint8Array])[];
  readonly stdin: Uint8Array;
};
