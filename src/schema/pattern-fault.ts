/**
 * Why a regular expression cannot be compiled; nothing when it can. JSON Schema means ECMAScript's dialect, but the
 * notations of others that runtimes accept, `(?i)` in front and `(?P<name>…)`, are not held against an author.
 */
export function patternFault(pattern: string): string | undefined {
  const usual = pattern.replace(/^\(\?[a-zA-Z]+\)/, "").replaceAll("(?P<", "(?<");
  const fault = faultOf(usual, "u");
  // Without the flag, `\-` and the like are fine.
  return fault === undefined || faultOf(usual, "") === undefined ? undefined : fault;
}

function faultOf(pattern: string, flags: string): string | undefined {
  try {
    new RegExp(pattern, flags);
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : "";
    // The engine repeats the pattern before it says what is wrong.
    const words = reason.slice(reason.lastIndexOf(": ") + 2);
    return words === "" ? "it does not compile" : words.charAt(0).toLowerCase() + words.slice(1);
  }
}
