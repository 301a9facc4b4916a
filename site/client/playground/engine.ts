import workerSource from "promptpack:worker";
import type { Request, Response, TaskName, Tasks } from "../worker/protocol.js";

/** No pack that a person wrote takes nearly as long. */
const maxSeconds = 5;

/** A worker was stopped because it took too long. */
export class TooSlow extends Error {
  constructor() {
    super(`stopped after ${maxSeconds} seconds`);
  }
}

interface Job {
  readonly request: Request;
  /** With undefined if a newer request of the same kind came before its turn. */
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Runs the library in a worker, one task at a time; one that takes too long is stopped, and the worker replaced. */
export class Engine {
  private worker: Worker | undefined;
  private isReady = false;
  private current: Job | undefined;
  private watchdog: ReturnType<typeof setTimeout> | undefined;
  /** The newest request of each kind. */
  private readonly waiting = new Map<TaskName, Job>();

  /** Resolves with undefined if a newer request of the same kind replaced this one. */
  ask<Name extends TaskName>(
    task: Name,
    input: Tasks[Name]["input"],
  ): Promise<Tasks[Name]["output"] | undefined> {
    return new Promise((resolve, reject) => {
      this.waiting.get(task)?.resolve(undefined);
      this.waiting.set(task, {
        request: { task, input },
        resolve: resolve as (output: unknown) => void,
        reject,
      });
      this.startNext();
    });
  }

  private startNext(): void {
    if (this.worker === undefined) this.startWorker();
    if (this.current !== undefined || !this.isReady) return;
    const next = [...this.waiting.values()][0];
    if (next === undefined) return;
    this.waiting.delete(next.request.task);
    this.current = next;
    this.watchdog = setTimeout(() => this.fail(new TooSlow()), maxSeconds * 1000);
    this.worker?.postMessage(next.request);
  }

  /** From a string, because a page that was opened as a file may not load the script of a worker. */
  private startWorker(): void {
    const address = URL.createObjectURL(new Blob([workerSource], { type: "text/javascript" }));
    const worker = new Worker(address);
    this.worker = worker;
    worker.addEventListener("message", ({ data }: MessageEvent<Response>) => {
      if (data === "ready") {
        URL.revokeObjectURL(address);
        this.isReady = true;
      } else this.finish(data);
      this.startNext();
    });
    worker.addEventListener("error", ({ message }) => this.fail(new Error(message || "it did not start")));
  }

  private finish(response: Exclude<Response, "ready">): void {
    clearTimeout(this.watchdog);
    const job = this.current;
    this.current = undefined;
    if ("error" in response) job?.reject(new Error(response.error));
    else job?.resolve(response.output);
  }

  private fail(error: Error): void {
    clearTimeout(this.watchdog);
    this.worker?.terminate();
    this.worker = undefined;
    this.isReady = false;
    const failed = this.current === undefined ? [...this.waiting.values()] : [this.current];
    if (this.current === undefined) this.waiting.clear();
    this.current = undefined;
    for (const job of failed) job.reject(error);
    if (this.waiting.size > 0) this.startNext();
  }
}
