import type { Reporter } from "./report.js";

export const reporters = {
  pretty: async (): Promise<Reporter> => (await import("./pretty.js")).pretty,
  compact: async (): Promise<Reporter> => (await import("./compact.js")).compact,
  json: async (): Promise<Reporter> => (await import("./json.js")).json,
  sarif: async (): Promise<Reporter> => (await import("./sarif.js")).sarif,
  github: async (): Promise<Reporter> => (await import("./github.js")).github,
  gitlab: async (): Promise<Reporter> => (await import("./gitlab.js")).gitlab,
  junit: async (): Promise<Reporter> => (await import("./junit.js")).junit,
  markdown: async (): Promise<Reporter> => (await import("./markdown.js")).markdown,
} as const;

export type ReporterName = keyof typeof reporters;

export const reporterNames = Object.keys(reporters) as readonly ReporterName[];
