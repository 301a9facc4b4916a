/** Numbers that look random and are the same for the same seed on every machine: a 32-bit counter, well mixed. */
export class SeededRandom {
  private counter: number;

  constructor(seed: number) {
    this.counter = seed | 0;
  }

  /** A whole number from 0 to `size - 1`. */
  below(size: number): number {
    this.counter = (this.counter + 0x9e3779b9) | 0;
    let value = this.counter;
    value = Math.imul(value ^ (value >>> 16), 0x21f0aaad);
    value = Math.imul(value ^ (value >>> 15), 0x735a2d97);
    value = (value ^ (value >>> 15)) >>> 0;
    return Math.floor((value / 0x1_0000_0000) * size);
  }
}
