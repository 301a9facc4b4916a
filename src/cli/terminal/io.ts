/** Everything the program knows of the outside besides the disk. */
export interface Io {
  readonly args: readonly string[];
  readonly stdin: AsyncIterable<Uint8Array | string>;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends what would go on for ever. */
  readonly signal?: AbortSignal;
}

export interface Output {
  write(text: string | Uint8Array): unknown;
  /** Waits until it shows whether what was written is lost; absent where each write waits itself. */
  settle?(): Promise<void>;
  readonly isTTY?: boolean;
  readonly columns?: number;
  /** Nobody reads it any more. */
  readonly isLost?: boolean;
  /** The file that it goes to, where it goes to one. */
  readonly file?: { readonly dev: number; readonly ino: number };
  /** The output behind this one, where this one keeps commands from a runner. */
  readonly unguarded?: Output;
}

/**
 * At most `limit` bytes and one chunk more, which tells that there were more. `passOn` then gets them all, one after the
 * other, for as long as it wants them: whoever has to hand them on cannot hold them.
 */
export async function readAll(
  input: Io["stdin"],
  limit: number,
  passOn?: (bytes: Uint8Array) => Promise<boolean>,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of input) {
    const part = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    const isBeyond = length > limit;
    if (!isBeyond) parts.push(part);
    length += part.length;
    if (length <= limit) continue;
    if ((await passOn?.(isBeyond ? part : Buffer.concat(parts))) !== true) break;
  }
  return Buffer.concat(parts);
}

/** The same, but what goes to standard output goes there. Inherits the rest: who uses standard input opens it. */
export function withStdout(io: Io, stdout: Output): Io {
  return Object.create(io, { stdout: { value: stdout } }) as Io;
}
