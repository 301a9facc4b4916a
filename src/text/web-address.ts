const webAddress = /^https?:\/\/[!-;=?-~]+$/;

/** Whether a text is an address that can be written into a link as it is. */
export function isWebAddress(text: string | undefined): text is string {
  return text !== undefined && webAddress.test(text);
}
