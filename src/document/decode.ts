/** The text of a file without its byte order mark: an editor counts no column for it. */
export interface Decoded {
  readonly text: string;
  readonly hasBom: boolean;
  /** Why the bytes are no UTF-8, and the offset in the text where that shows. */
  readonly fault?: { readonly offset: number; readonly message: string };
}

/** Made for the first file: making one takes as long as decoding a small file. */
let strict: InstanceType<typeof TextDecoder> | undefined;

export function decode(bytes: Uint8Array): Decoded {
  const foreign = foreignEncoding(bytes);
  if (foreign !== undefined) {
    const message = `The file is encoded as ${foreign}; save it as UTF-8.`;
    return { text: "", hasBom: false, fault: { offset: 0, message } };
  }
  try {
    strict ??= new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return stripBom(strict.decode(bytes));
  } catch {
    return lossy(bytes);
  }
}

export function stripBom(text: string): Decoded {
  return text.charCodeAt(0) === 0xfeff ? { text: text.slice(1), hasBom: true } : { text, hasBom: false };
}

/** A text to be read as it is: without a byte order mark in front, one that belongs to it would be taken for that. */
export function asSource(text: string): string {
  return `\ufeff${text}`;
}

/** The broken bytes become U+FFFD, so that the lines before and around them can still be shown. */
function lossy(bytes: Uint8Array): Decoded {
  const bad = firstBadByte(bytes);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const before = stripBom(decoder.decode(bytes.subarray(0, bad)));
  const hex = (bytes[bad] ?? 0).toString(16).toUpperCase().padStart(2, "0");
  const message = `The file is not valid UTF-8: the byte 0x${hex} is out of place here; save it as UTF-8.`;
  return { ...stripBom(decoder.decode(bytes)), fault: { offset: before.text.length, message } };
}

function foreignEncoding(bytes: Uint8Array): string | undefined {
  const [a, b, c, d] = bytes;
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? "UTF-32" : "UTF-16";
  if (a === 0xfe && b === 0xff) return "UTF-16";
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return "UTF-32";
  // Without a mark: every other byte of ASCII text is zero.
  if (a !== undefined && a !== 0 && b === 0 && c !== 0 && d === 0) return "UTF-16";
  if (a === 0 && b !== 0 && b !== undefined && c === 0 && d !== 0 && d !== undefined) return "UTF-16";
  return undefined;
}

/** The first byte of the first sequence that RFC 3629 does not allow. */
function firstBadByte(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length === 0) return at;
    at += length;
  }
  return bytes.length;
}

/** 0 when the sequence is broken: overlong forms, surrogates and code points past U+10FFFF included. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  const length =
    lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
  if (length === 0) return 0;
  const second = bytes[at + 1] ?? 0;
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high) return 0;
  for (let i = 2; i < length; i++) if (((bytes[at + i] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}
