/** Everything the program knows of the outside besides the disk. */
export interface Io {
  readonly args: readonly string[];
  readonly stdin: AsyncIterable<Uint8Array | string>;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export async function readAll(input: AsyncIterable<Uint8Array | string>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of input) parts.push(typeof part === "string" ? Buffer.from(part) : part);
  return Buffer.concat(parts);
}
