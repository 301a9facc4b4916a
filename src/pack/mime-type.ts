const mimeToken = "[A-Za-z0-9!#$&^_.+-]+";
const mimeType = new RegExp(`^${mimeToken}/${mimeToken}(?:[ \\t]*;[ \\t]*${mimeToken}=(?:${mimeToken}|"[^"]*"))*$`);
const mimeWildcard = /^(?:\*\/\*|[A-Za-z0-9!#$&^_.+-]+\/\*)$/;

/** `text/plain`, `application/json; charset=utf-8`. */
export function isMimeType(text: string): boolean {
  return text.length <= 255 && mimeType.test(text);
}

/** A MIME type, or a range of them such as `image/*`. */
export function isMimeRange(text: string): boolean {
  return isMimeType(text) || mimeWildcard.test(text);
}
