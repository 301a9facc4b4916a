/** Nobody issued these: the digits of a sequence that is the same in each run. The parts are put together here alone. */
export function body(length: number, digits = alphanumeric, seed = 7): string {
  let state = seed * 7_919 + length;
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return digits.charAt(Math.floor((state / 2 ** 31) * digits.length));
  }).join("");
}

const capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

const join = (...parts: readonly string[]): string => parts.join("");

export const tokens = {
  openai: join("sk", "-proj-", body(70), "_", body(50)),
  "openai, old": join("sk", "-", body(48)),
  anthropic: join("sk", "-ant-", "api03-", body(93), "AA"),
  google: join("AI", "za", body(35)),
  aws: join("AK", "IA", body(16, capitals)),
  "aws, temporary": join("AS", "IA", body(16, capitals, 3)),
  github: join("gh", "p_", body(36)),
  "github, app": join("gh", "s_", body(36, alphanumeric, 5)),
  "github, fine-grained": join("github", "_pat_", body(22), "_", body(59)),
  slack: join("xo", "xb-", body(12, "0123456789"), "-", body(12, "0123456789", 3), "-", body(24)),
  stripe: join("sk", "_live_", body(24, alphanumeric, 4)),
  "stripe, restricted": join("rk", "_live_", body(99)),
};

const lines = [1, 2, 3, 4].map((seed) => body(64, `${alphanumeric}+/`, seed));

export const privateKey = [
  join("-----BEGIN ", "PRIVATE KEY-----"),
  ...lines,
  `${body(20)}==`,
  join("-----END ", "PRIVATE KEY-----"),
].join("\n");
