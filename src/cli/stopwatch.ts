import { performance } from "node:perf_hooks";

/** Adds up the time that parts of the work take. */
export class Stopwatch {
  private readonly spent = new Map<string, number>();

  time<T>(name: string, work: () => T): T {
    const start = performance.now();
    try {
      return work();
    } finally {
      this.add(name, performance.now() - start);
    }
  }

  async timeAsync<T>(name: string, work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    try {
      return await work();
    } finally {
      this.add(name, performance.now() - start);
    }
  }

  private add(name: string, time: number): void {
    this.spent.set(name, (this.spent.get(name) ?? 0) + time);
  }

  /** Milliseconds, in the order in which the parts began. */
  table(): string {
    const width = Math.max(...[...this.spent.keys()].map((name) => name.length));
    const rows = [...this.spent].map(
      ([name, time]) => `${name.padEnd(width)}  ${time.toFixed(1).padStart(9)} ms\n`,
    );
    return rows.join("");
  }
}
