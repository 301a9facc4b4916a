type Places = Readonly<Record<string, true | string>>;

interface Judgements {
  readonly corpus: readonly string[];
  readonly judged: Readonly<Record<string, Places>>;
}

export function readJudgements(): Judgements;
export function shareOf(places: Places | undefined): { readonly worth: number; readonly of: number };
export function checkPrecision(
  judgements: Judgements,
  page: string,
): { readonly lines: readonly string[]; readonly problems: readonly string[] };
