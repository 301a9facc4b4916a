/** The smallest part of the bytes found for which `fails` still holds, by leaving out ever smaller pieces. */
export function minimise(
  bytes: Uint8Array,
  fails: (part: Uint8Array) => boolean | Promise<boolean>,
): Promise<Uint8Array>;
