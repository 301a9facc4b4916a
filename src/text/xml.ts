import { escapeLogCommands } from "./log-commands.js";

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/**
 * Text that stays text between tags, inside quotes and in the log of a runner. Control characters are the caller's to make
 * visible.
 */
export function escapeXml(text: string): string {
  const escaped = text.replace(/[&<>"']/g, (character) => entities[character] ?? "");
  return escapeLogCommands(escaped, (sign) => `&#${sign.charCodeAt(0)};`);
}
