const webUrl = /^https?:\/\/[!-;=?-~]+$/;

/** Whether a text is an address that can be written into a link as it is. */
export function isWebUrl(text: string | undefined): text is string {
  return text !== undefined && webUrl.test(text);
}
