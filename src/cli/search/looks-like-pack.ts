import { readRegularFile } from "../files/read-file.js";

/** A folder may hold many other files, and large ones. */
const mostBytes = 1024 * 1024;
const sections = ["prompts", "template_engine"] as const;
const written = sections.map((name) => new RegExp(`^${name}[\\t ]*:`, "mu"));

/** Whether a file has the sections that every pack has, whatever it is called. */
export function looksLikePack(path: string): boolean {
  try {
    const bytes = readRegularFile(path, mostBytes);
    if (bytes.length > mostBytes) return false;
    const text = new TextDecoder().decode(bytes);
    if (!path.endsWith(".json")) return written.every((section) => section.test(text));
    const value: unknown = JSON.parse(text);
    return (
      typeof value === "object" && value !== null && sections.every((name) => Object.hasOwn(value, name))
    );
  } catch {
    return false;
  }
}
