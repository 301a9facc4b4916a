/** Everything that steers a terminal or cannot be seen; a line break is fine. */
const hidden =
  /(?![\u{180b}-\u{180d}\u{180f}\u{200c}\u{200d}\u{fe00}-\u{fe02}\u{fe0e}\u{fe0f}\u{e0100}-\u{e01ef}])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u{fff9}-\u{fffb}]/u;

/** What is wrong with a result of `lint`, apart from what it says. */
export function faultOfResult(result, bytes) {
  const lines = lineLengths(textOf(bytes));
  let before;
  for (const diagnostic of result.diagnostics) {
    const places = [diagnostic, ...(diagnostic.related ?? [])];
    for (const { range } of places) {
      const fault = faultOfRange(range, lines);
      if (fault !== undefined) return `${diagnostic.rule} at ${JSON.stringify(range)}: ${fault}`;
    }
    for (const { start, end } of diagnostic.fix?.edits ?? []) {
      if (!(start >= 0 && start <= end && end <= bytes.length))
        return `${diagnostic.rule}: its fix is outside`;
    }
    if (diagnostic.message === "" || /undefined|\[object/.test(diagnostic.message.replace(/"[^"]*"/g, "")))
      return `${diagnostic.rule} says "${diagnostic.message}"`;
    if (before !== undefined && order(before, diagnostic) > 0) return `${diagnostic.rule} is out of order`;
    before = diagnostic;
  }
  return undefined;
}

/** What is wrong with how the program ended, whatever it was asked. */
export function faultOfOutput({ code, stdout, stderr }, args = []) {
  if (code === "late") return "did not come to an end";
  if (![0, 1, 2].includes(code)) return `ended with ${code}`;
  if (/internal error/i.test(stderr)) return stderr;
  if (args[0] === "lsp") return faultOfAnswers(stdout);
  for (const [name, text] of [
    // A fixed pack, or the patch that makes one of it, holds what the pack holds.
    ["stdout", args.some((arg) => arg.startsWith("--fix")) ? "" : stdout],
    ["stderr", stderr],
  ]) {
    const at = text.replaceAll("\n", " ").search(hidden);
    if (at >= 0) return `${name} holds a raw ${JSON.stringify(text.slice(Math.max(0, at - 30), at + 10))}`;
  }
  if (code === 2 && stderr === "") return "failed without a word";
  return undefined;
}

/** An editor shows what it is told as text; what matters is that no request ends in a fault of ours. */
function faultOfAnswers(stdout) {
  const at = stdout.search(/"code":-32603|caused an internal error/);
  return at < 0 ? undefined : `answers ${stdout.slice(at, at + 300)}`;
}

function order(a, b) {
  const [one, other] = [a.range.start, b.range.start];
  return (
    one.line - other.line || one.column - other.column || (a.rule < b.rule ? -1 : a.rule > b.rule ? 1 : 0)
  );
}

function faultOfRange({ start, end }, lines) {
  for (const { line, column } of [start, end]) {
    const length = lines[line - 1];
    if (length === undefined) return `there is no line ${line}`;
    if (!(column >= 1 && column <= length + 1)) return `there is no column ${column} in line ${line}`;
  }
  if (start.line > end.line || (start.line === end.line && start.column > end.column))
    return "it is inverted";
  return undefined;
}

function textOf(bytes) {
  return new TextDecoder("utf-8").decode(bytes);
}

/** With the line break: a place may be behind the last character of a line, or in its line break. */
function lineLengths(text) {
  const lengths = [];
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code !== 10 && (code !== 13 || text.charCodeAt(i + 1) === 10)) continue;
    lengths.push(i + 1 - start);
    start = i + 1;
  }
  lengths.push(text.length - start);
  return lengths;
}
