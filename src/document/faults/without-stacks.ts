/**
 * Runs what makes errors by the thousand and throws few of them: to note the calls that led to each takes longer than
 * all the rest.
 */
export function withoutStackTraces<T>(work: () => T): T {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = limit;
  }
}
