/** Parts of a pack or of its workflow that end up inside a neighbour where they are indented too far. */
export interface Losable {
  /** What they are parts of: the names on the way to it. */
  readonly home: readonly string[];
  readonly parts: readonly (readonly [name: string, kind: "mapping" | "sequence" | "scalar"])[];
  /** Where they end up. */
  readonly holders: readonly (readonly string[])[];
  /** Sections in whose things they end up. */
  readonly around?: readonly (readonly string[])[];
}

const sections: Losable["parts"] = [
  ["prompts", "mapping"],
  ["fragments", "mapping"],
  ["tools", "mapping"],
  ["workflow", "mapping"],
  ["agents", "mapping"],
  ["evals", "sequence"],
  ["skills", "sequence"],
];

/** Whether an object is called like a section of the pack. */
export function isSection(name: string, kind: string | undefined): boolean {
  return kind === "mapping" && sections.some((section) => section[0] === name && section[1] === kind);
}

const states = ["workflow", "states"];
const members = ["agents", "members"];

export const losable: readonly Losable[] = [
  {
    home: [],
    parts: sections,
    holders: [["template_engine"], ...sections.map(([name]) => [name]), states, members],
  },
  {
    home: [],
    // Of tools the thing that they stand in may be the one that uses them.
    parts: sections.filter(([name]) => name !== "tools"),
    holders: [],
    around: [["prompts"], ["tools"], states, members],
  },
  {
    home: ["workflow"],
    parts: [
      ["version", "scalar"],
      ["entry", "scalar"],
      ["engine", "mapping"],
    ],
    holders: [states],
  },
  {
    home: ["workflow"],
    parts: [
      ["entry", "scalar"],
      ["states", "mapping"],
    ],
    holders: [["workflow", "engine"]],
  },
];
