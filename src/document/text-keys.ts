/** The properties of a pack that take a text of several lines; a fragment does, too, whatever it is called. */
export const multilineTextKeys: ReadonlySet<string> = new Set([
  "system_template",
  "system_template_prefix",
  "system_template_suffix",
  "description",
  "instructions",
  "message",
  "text",
  "notes",
]);
