import { components } from "../../graph/components.js";
import { at, digraphFromEdges } from "../../graph/digraph.js";
import type { Exploration } from "./explore.js";
import { inFileOrder } from "../machine.js";

export interface Region {
  readonly states: readonly number[];
  readonly configurations: readonly number[];
}

/**
 * Configurations differ in their counts, but an author thinks in states: configurations that `belong` are joined
 * when an edge that `joins` them connects their states. For loops the edges run both ways round, so that states
 * which share a loop are one region.
 */
export function findRegions(
  { graph, stateOf }: Pick<Exploration, "graph" | "stateOf">,
  belongs: (configuration: number) => boolean,
  joins: (from: number, to: number) => boolean,
): readonly Region[] {
  const from: number[] = [];
  const to: number[] = [];
  const members: number[] = [];
  let states = 0;
  for (let configuration = 0; configuration < graph.size; configuration++) {
    if (!belongs(configuration)) continue;
    const state = stateOf(configuration);
    states = Math.max(states, state + 1);
    members.push(configuration);
    const end = at(graph.offsets, configuration + 1);
    for (let edge = at(graph.offsets, configuration); edge < end; edge++) {
      const target = at(graph.targets, edge);
      if (!belongs(target) || !joins(configuration, target)) continue;
      from.push(state, stateOf(target));
      to.push(stateOf(target), state);
    }
  }
  if (members.length === 0) return [];
  const parts = components(digraphFromEdges(states, from, to));
  const byPart = new Map<number, { states: Set<number>; configurations: number[] }>();
  for (const configuration of members) {
    const part = at(parts.of, stateOf(configuration));
    const region = byPart.get(part) ?? { states: new Set(), configurations: [] };
    byPart.set(part, region);
    region.states.add(stateOf(configuration));
    region.configurations.push(configuration);
  }
  return [...byPart.values()]
    .map((region) => ({ ...region, states: inFileOrder(region.states) }))
    .sort((a, b) => at(a.states, 0) - at(b.states, 0));
}
