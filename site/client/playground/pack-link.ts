/** Longer addresses are cut by chats, mail programs and servers. */
const maxLinkLength = 32_000;

/** A short link can hold a text that is a thousand times as long. */
const maxPackBytes = 1_000_000;

/** A link that cannot be made or read; the message is a sentence for the reader. */
export class LinkError extends Error {}

/** The text, deflated, in letters that need no escaping in an address. */
export async function encodePack(text: string): Promise<string> {
  const deflated = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = await readBytes(deflated, Infinity);
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  const encoded = btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  if (encoded.length > maxLinkLength)
    throw new LinkError(
      `The pack is too large for a link: it would take ${encoded.length} characters, and ${maxLinkLength} are possible.`,
    );
  return encoded;
}

/** The text of a link, which anybody may have written. */
export async function decodePack(encoded: string): Promise<string> {
  if (encoded.length > maxLinkLength) throw new LinkError("The link is too long to hold a pack.");
  try {
    const binary = atob(encoded.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (unit) => unit.charCodeAt(0));
    const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return new TextDecoder("utf-8", { fatal: true }).decode(await readBytes(inflated, maxPackBytes));
  } catch (error) {
    if (error instanceof LinkError) throw error;
    throw new LinkError("The link holds no pack: it is damaged, or a part of it is missing.");
  }
}

async function readBytes(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value);
    length += next.value.length;
    if (length <= most) continue;
    await reader.cancel();
    throw new LinkError("The link holds a text that is too large for the playground.");
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
