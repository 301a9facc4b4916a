/** 64 bits of a text as hex digits: to tell texts apart, not to withstand someone who wants them to collide. */
export function textHash(text: string): string {
  let left = 0x811c9dc5;
  let right = 0x2545f491;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    left = Math.imul(left ^ unit, 0x01000193);
    right = Math.imul(((right << 5) | (right >>> 27)) ^ unit, 0x9e3779b1);
  }
  return toHex(mixBits(left ^ Math.imul(right, 0x27d4eb2f))) + toHex(mixBits(right ^ Math.imul(left, 0x165667b1)));
}

/** Spreads every bit over the whole word. */
function mixBits(word: number): number {
  const half = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  const most = Math.imul(half ^ (half >>> 13), 0xc2b2ae35);
  return most ^ (most >>> 16);
}

function toHex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, "0");
}
