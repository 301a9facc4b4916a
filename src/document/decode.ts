/** The text of a file without its byte order mark: an editor counts no column for it. */
export interface Decoded {
  readonly text: string;
  readonly hasBom: boolean;
  /** Why the bytes are no UTF-8, and the offset in the text where that shows. */
  readonly fault?: { readonly offset: number; readonly message: string };
}

/** Made for the first file: making one takes as long as decoding a small file. */
let strictDecoder: InstanceType<typeof TextDecoder> | undefined;

export function decode(bytes: Uint8Array): Decoded {
  const foreign = detectOtherEncoding(bytes);
  if (foreign !== undefined) {
    const message = `The file is encoded as ${foreign}; save it as UTF-8.`;
    return { text: "", hasBom: false, fault: { offset: 0, message } };
  }
  try {
    strictDecoder ??= new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return stripBom(strictDecoder.decode(bytes));
  } catch {
    return decodeLossy(bytes);
  }
}

export function stripBom(text: string): Decoded {
  return text.charCodeAt(0) === 0xfeff ? { text: text.slice(1), hasBom: true } : { text, hasBom: false };
}

/** A text to be read as it is: without a byte order mark in front, one that belongs to it would be taken for that. */
export function withBom(text: string): string {
  return `\ufeff${text}`;
}

/** The broken bytes become U+FFFD, so that the lines before and around them can still be shown. */
function decodeLossy(bytes: Uint8Array): Decoded {
  const whole = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const { index, byte } = findInvalidByte(whole, bytes);
  const hex = byte.toString(16).toUpperCase().padStart(2, "0");
  const message = `The file is not valid UTF-8: the byte 0x${hex} is out of place here; save it as UTF-8.`;
  const { text, hasBom } = stripBom(whole);
  return { text, hasBom, fault: { offset: hasBom ? index - 1 : index, message } };
}

/** The first U+FFFD that is not in the bytes, and the byte that it begins to stand for. */
function findInvalidByte(text: string, bytes: Uint8Array): { index: number; byte: number } {
  let at = 0;
  let index = 0;
  for (const character of text) {
    const byte = bytes[at] ?? 0;
    const isWritten = byte === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd;
    if (character === "\ufffd" && !isWritten) return { index, byte };
    const code = character.codePointAt(0) ?? 0;
    at += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    index += character.length;
  }
  return { index, byte: 0 };
}

function detectOtherEncoding(bytes: Uint8Array): string | undefined {
  const [a, b, c, d] = bytes;
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? "UTF-32" : "UTF-16";
  if (a === 0xfe && b === 0xff) return "UTF-16";
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return "UTF-32";
  // Without a mark: every other byte of ASCII text is zero.
  if (a !== undefined && a !== 0 && b === 0 && c !== 0 && d === 0) return "UTF-16";
  if (a === 0 && b !== 0 && b !== undefined && c === 0 && d !== 0 && d !== undefined) return "UTF-16";
  return undefined;
}
