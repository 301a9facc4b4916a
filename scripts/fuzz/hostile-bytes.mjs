import { words } from "./vocabulary.mjs";

/** A file of the project with bytes changed. */
export function hostileBytes(random, seeds) {
  let bytes = random.pick(seeds);
  const most = 1 + random.below(8);
  for (let i = 0; i < most; i++) bytes = mutate(random, bytes, seeds);
  return bytes.subarray(0, 200_000);
}

function mutate(random, bytes, seeds) {
  const at = random.below(bytes.length + 1);
  const to = Math.min(bytes.length, at + random.below(random.chance(20) ? 400 : 12));
  const put = (middle) => Buffer.concat([bytes.subarray(0, at), middle, bytes.subarray(to)]);
  switch (random.below(7)) {
    case 0:
      return put(Buffer.alloc(0));
    case 1:
      return put(Buffer.from([random.below(256)]));
    case 2:
      return put(Buffer.from(random.pick(words).repeat(1 + random.below(3))));
    case 3:
      return put(Buffer.concat([bytes.subarray(at, to), bytes.subarray(at, to)]));
    case 4: {
      const other = random.pick(seeds);
      const from = random.below(other.length + 1);
      return put(other.subarray(from, from + random.below(200)));
    }
    case 5:
      return put(Buffer.from(random.list(30, () => random.below(256))));
    default:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from(random.pick(words)), bytes.subarray(at)]);
  }
}
