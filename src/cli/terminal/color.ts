import type { Io } from "./io.js";

/** `--color` over `NO_COLOR` over `FORCE_COLOR` and `CLICOLOR_FORCE` over `CLICOLOR` and what standard output is. */
export function shouldUseColor(flag: boolean | undefined, { env, stdout }: Io): boolean {
  if (flag !== undefined) return flag;
  if (isSet(env["NO_COLOR"])) return false;
  const { FORCE_COLOR: force, CLICOLOR_FORCE: clicolorForce } = env;
  if (isSet(force)) return force !== "0" && force !== "false";
  if (isSet(clicolorForce) && clicolorForce !== "0") return true;
  return stdout.isTTY === true && env["CLICOLOR"] !== "0" && env["TERM"] !== "dumb";
}

/** Terminals known to show OSC 8 links. */
export function supportsHyperlinks({ env, stdout }: Io): boolean {
  if (isSet(env["FORCE_HYPERLINK"])) return env["FORCE_HYPERLINK"] !== "0";
  if (stdout.isTTY !== true || isSet(env["CI"])) return false;
  if (isSet(env["KITTY_WINDOW_ID"]) || isSet(env["WT_SESSION"])) return true;
  if (Number(env["VTE_VERSION"] ?? 0) >= 5000) return true;
  return ["iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper"].includes(env["TERM_PROGRAM"] ?? "");
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== "";
}
