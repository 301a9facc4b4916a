/** Numbers that follow from a seed and the number of a case. */
export class Random {
  constructor(seed, number = 0) {
    this.state = (Math.imul(seed >>> 0, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b)) >>> 0;
    this.below(2);
  }

  /** A whole number from 0 to `limit` - 1. */
  below(limit) {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  chance(percent) {
    return this.below(100) < percent;
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  list(most, make) {
    return Array.from({ length: this.below(most + 1) }, (_, index) => make(index));
  }
}
