import { maxNameLength } from "./edit-distance.js";

const asciiOnly = /^[\0-\x7f]*$/;

/** How a name looks, where others may look the same: accents may be letters of their own, and spaces be of many kinds. */
export function visualForm(name: string): string | undefined {
  if (name.length > maxNameLength || (asciiOnly.test(name) && !name.includes(" "))) return undefined;
  return name.normalize("NFC").replace(/\s/g, " ");
}

/** What to say behind a name that cannot be told from the wrong one by its look, or nothing. */
export function lookAlikeNote(name: string, near: string): string {
  const look = name === near ? undefined : visualForm(name);
  return look === undefined || look !== visualForm(near)
    ? ""
    : " The two look alike, but are written with different characters.";
}
