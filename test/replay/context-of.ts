/** A line of a simulated run. */
export interface SimulatedLine {
  readonly record: string;
  readonly state: string;
  readonly from: string;
  readonly event: string;
  readonly to: string;
  readonly artifacts: Readonly<Record<string, string>>;
}

export interface Context {
  current_state: string;
  history: { from: string; to: string; event: string; timestamp: string }[];
  visit_counts: Record<string, number>;
  total_tool_calls: number;
  artifacts: Record<string, string>;
  artifact_history: {
    from_state: string;
    to_state: string;
    event: string;
    values: Record<string, string>;
    timestamp: string;
  }[];
  started_at: string;
  updated_at: string;
}

/** A simulated run as the reference runtime would have persisted it. */
export function contextOf(record: string, longest = 1000): Context {
  const lines = record
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as SimulatedLine);
  const start = lines[0]?.state ?? "";
  const moves = lines.filter((line) => line.record === "transition");
  const counts: Record<string, number> = { [start]: 1 };
  for (const { to } of moves) counts[to] = (counts[to] ?? 0) + 1;
  const history = moves.map(({ from, to, event }, index) => ({
    from,
    to,
    event,
    timestamp: time(index + 1),
  }));
  return {
    current_state: moves.at(-1)?.to ?? start,
    history: history.slice(-longest),
    visit_counts: counts,
    total_tool_calls: 0,
    artifacts: lines.at(-1)?.artifacts ?? {},
    artifact_history: moves.flatMap(({ from, to, event, artifacts: values }, index) =>
      Object.keys(values).length === 0
        ? []
        : [{ from_state: from, to_state: to, event, values, timestamp: time(index + 1) }],
    ),
    started_at: time(0),
    updated_at: time(moves.length),
  };
}

function time(second: number): string {
  return new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
}
