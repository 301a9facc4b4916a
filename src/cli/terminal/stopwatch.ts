import process from "node:process";
import { alignColumns } from "../../text/terminal-text.js";

export class Stopwatch {
  private readonly elapsed = new Map<string, number>();

  time<T>(name: string, work: () => T): T {
    const start = now();
    try {
      return work();
    } finally {
      this.add(name, now() - start);
    }
  }

  async timeAsync<T>(name: string, work: () => Promise<T>): Promise<T> {
    const start = now();
    try {
      return await work();
    } finally {
      this.add(name, now() - start);
    }
  }

  private add(name: string, time: number): void {
    this.elapsed.set(name, (this.elapsed.get(name) ?? 0) + time);
  }

  /** Milliseconds, in the order in which the parts began. */
  table(): string {
    const rows = [...this.elapsed].map(([name, time]) => [name, time.toFixed(1).padStart(9)]);
    return alignColumns(rows)
      .map((line) => `${line} ms\n`)
      .join("");
  }
}

/** In milliseconds. The global `performance` would load a dozen modules. */
export function now(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}
