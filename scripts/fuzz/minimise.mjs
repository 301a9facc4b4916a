const mostTries = 400;

/** The smallest part of the bytes found for which `fails` still holds, by leaving out ever smaller pieces. */
export async function minimise(bytes, fails) {
  let current = bytes;
  let tries = 0;
  for (let size = Math.ceil(current.length / 2); size >= 1 && tries < mostTries;) {
    let shrunk = false;
    for (let at = 0; at < current.length && tries < mostTries; tries++) {
      const shorter = Buffer.concat([current.subarray(0, at), current.subarray(at + size)]);
      if (shorter.length < current.length && (await fails(shorter))) {
        current = shorter;
        shrunk = true;
      } else at += size;
    }
    if (!shrunk || size > current.length) size = size === 1 ? 0 : Math.floor(size / 2);
  }
  return current;
}
