import { formatJson } from "../../text/escape.js";
import { randomScenes } from "../../vectors/random-scenes.js";
import { sentenceScenes } from "../../vectors/sentences.js";
import { vectorJson } from "../../vectors/vector.js";
import { parseWholeNumber } from "../config/flags.js";
import { readRuntime } from "../config/read-runtime.js";
import { writeOutput } from "../config/refuse-overwrite.js";
import type { Io } from "../terminal/io.js";

interface VectorsFlags {
  readonly count: string;
  readonly seed: string;
  readonly runtime?: readonly string[];
  readonly output?: string;
}

const maxCount = 10_000;

export function writeVectors(io: Io, { count, seed, runtime = [], output }: VectorsFlags): number {
  const most = parseWholeNumber("--count", count, 0, maxCount);
  const start = parseWholeNumber("--seed", seed, 0, 0xffff_ffff);
  const runtimes = [...new Set(runtime)].flatMap((name) => readRuntime({ runtime: name }) ?? []);
  const scenes = [...sentenceScenes, ...randomScenes(most, start)];
  writeOutput(io, output, scenes.map((scene) => formatJson(vectorJson(scene, runtimes), 0)).join(""), []);
  return 0;
}
