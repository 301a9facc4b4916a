/** Numbers that follow from a seed and the number of a case. */
export class Random {
  constructor(seed: number, number?: number);
  below(limit: number): number;
}
