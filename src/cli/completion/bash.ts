import type { CompletionCommand, CompletionFlag, CompletionProgram, CompletionValue } from "./model.js";

/**
 * The word is read from the line, since bash cuts words at `:` and `=`; what it would cut off is taken off the
 * answers. No answer means file names.
 */
export function bashCompletion({ flags, commands }: CompletionProgram): string {
  return `# bash completion for promptpack: source it, or write it to a file that bash-completion reads.
_promptpack() {
  local line=\${COMP_LINE:0:COMP_POINT} word before command= choices= prefix= head= each
  local -a words
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  word=\${words[\${#words[@]} - 1]} before=\${words[\${#words[@]} - 2]}
  for each in "\${words[@]:1:\${#words[@]} - 2}"; do
    [[ $each == -* ]] || { command=$each; break; }
  done
  COMPREPLY=()
  if [[ $word == --*=* ]]; then
    before=\${word%%=*} prefix=$before=
  fi
  case "$command $before" in
${commands.flatMap(bashFlagCases).join("\n")}
    *)
      case "$command" in
        "") choices="${[...commands.map(({ name }) => name), ...longNames(flags)].join(" ")}" ;;
${commands.map(bashCommandCase).join("\n")}
      esac
      ;;
  esac
  for each in : =; do
    before=\${word%"$each"*}$each
    [[ $COMP_WORDBREAKS == *$each* && $word == *$each* && \${#before} -gt \${#head} ]] && head=$before
  done
  while IFS= read -r each; do
    COMPREPLY+=("\${each#"$head"}")
  done < <(compgen -P "$prefix" -W "$choices" -- "\${word#"$prefix"}")
  [[ \${COMPREPLY[0]-} == *: ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -o bashdefault -o default -F _promptpack promptpack
`;
}

function bashFlagCases({ name, flags }: CompletionCommand): readonly string[] {
  return flags.flatMap(({ names, value }) => {
    if (value === undefined) return [];
    const patterns = names.map((flag) => `"${name} ${flag}"`).join(" | ");
    return `    ${patterns}) ${bashValue(value)} ;;`;
  });
}

function bashCommandCase({ name, flags, argument }: CompletionCommand): string {
  const names = longNames(flags).join(" ");
  const rest = argument?.kind === "choice" ? `choices="${argument.choices.join(" ")}"` : "choices=";
  return `        ${name}) if [[ $word == -* ]]; then choices="${names}"; else ${rest}; fi ;;`;
}

function longNames(flags: readonly CompletionFlag[]): readonly string[] {
  return flags.flatMap(({ names }) => names.filter((name) => name.startsWith("--")));
}

function bashValue(value: CompletionValue): string {
  switch (value.kind) {
    case "file":
    case "text":
      return "choices=";
    case "choice":
      return `choices="${value.choices.join(" ")}"`;
    case "pair": {
      const first = value.first.map((each) => `${each}:`).join(" ");
      const second = value.second.join(" ");
      return `if [[ $word == *:* ]]; then prefix=\${word%%:*}: choices="${second}"; else choices="${first}"; fi`;
    }
  }
}
