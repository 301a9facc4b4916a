import type { Levels } from "../../lint/run-rules.js";
import type { Document } from "../../document/document.js";
import type { MappingNode } from "../../document/node.js";
import type { Property } from "../../properties/property.js";
import type { PathTest } from "../files/glob.js";
import type { IgnoreList } from "../files/ignore-files.js";

export const presets = ["recommended", "strict", "spec", "errors"] as const;
export type Preset = (typeof presets)[number];

/** A config file without mistakes. Its patterns are relative to its folder. */
export interface Config {
  readonly path: string;
  readonly folder: string;
  readonly document: Document;
  readonly preset: Preset;
  readonly rules: Levels;
  readonly overrides: readonly Override[];
  readonly ignoredFiles: IgnoreList;
  readonly ignoredFindings: readonly IgnoredFinding[];
  readonly properties: readonly ConfiguredProperty[];
}

export interface ConfiguredProperty extends Property {
  /** The files it is for; if undefined, those that have its names. */
  readonly matches: PathTest | undefined;
}

export interface Override {
  readonly matches: PathTest;
  readonly rules: Levels;
}

/** An entry of `ignore` that suppresses one rule at one place and below it. */
export interface IgnoredFinding {
  /** Its number among those of the config. */
  readonly index: number;
  readonly file: string;
  readonly matches: PathTest;
  readonly rule: string;
  readonly pointer: string;
  readonly reason: string | undefined;
  readonly node: MappingNode;
}
