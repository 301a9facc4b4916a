/** A character and the columns it takes in a terminal. */
export interface Cell {
  readonly text: string;
  readonly width: number;
}

const printableAscii = /^[ -~]*$/;
const combining = () => /^[\p{Mn}\p{Me}\u{1160}-\u{11ff}\u{200c}\u{200d}]$/u;
const wide = () =>
  /^[\p{Emoji_Presentation}\u{1100}-\u{115f}\u{2e80}-\u{303e}\u{3041}-\u{a4cf}\u{a960}-\u{a97f}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe30}-\u{fe6f}\u{ff01}-\u{ff60}\u{ffe0}-\u{ffe6}\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2ff}\u{20000}-\u{3fffd}]$/u;
const regionalIndicator = /^[\u{1f1e6}-\u{1f1ff}]$/u;
const skinTone = /^[\u{1f3fb}-\u{1f3ff}]$/u;
const joiner = "\u200d";

/** The characters of a text. What a joiner or a skin tone adds to an emoji takes no room of its own. */
export function* cells(text: string): Generator<Cell> {
  let before = "";
  let wideBefore = false;
  for (const character of text) {
    const melts: boolean = wideBefore && (before === joiner || skinTone.test(character));
    const width: number = melts ? 0 : characterWidth(character);
    yield { text: character, width };
    wideBefore = width > 0 ? width === 2 : wideBefore;
    before = character;
  }
}

export function textWidth(text: string): number {
  if (printableAscii.test(text)) return text.length;
  let width = 0;
  for (const cell of cells(text)) width += cell.width;
  return width;
}

function characterWidth(character: string): number {
  if (printableAscii.test(character)) return 1;
  if (combining().test(character)) return 0;
  // Two of them make one flag, two columns wide.
  if (regionalIndicator.test(character)) return 1;
  return wide().test(character) ? 2 : 1;
}
