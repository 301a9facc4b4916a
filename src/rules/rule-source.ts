/** Who may ask for a rule, and whether that is the specification itself. The guide gives advice, and so do we. */
const sourceAuthorities = {
  RFC: true,
  "PromptPack schema": true,
  "workflow guide": false,
  promptpack: false,
};

/** Who asks for a rule, and where. */
export type RuleSource = `${keyof typeof sourceAuthorities}${string}`;

export function isSpecification(source: string): boolean {
  return Object.entries(sourceAuthorities).some(([name, isSpec]) => isSpec && source.startsWith(name));
}
