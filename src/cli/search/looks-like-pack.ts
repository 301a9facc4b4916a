import { readRegularFile } from "../files/read-file.js";

/** A folder may hold many other files, and large ones. */
const maxProbeBytes = 1024 * 1024;
const packSections = ["prompts", "template_engine"] as const;
const sectionPatterns = packSections.map((name) => new RegExp(`^${name}[\\t ]*:`, "mu"));

/** Whether a file has the sections that every pack has, whatever it is called. */
export function looksLikePack(path: string): boolean {
  try {
    const bytes = readRegularFile(path, maxProbeBytes);
    if (bytes.length > maxProbeBytes) return false;
    const text = new TextDecoder().decode(bytes);
    if (!path.endsWith(".json")) return sectionPatterns.every((section) => section.test(text));
    const value: unknown = JSON.parse(text);
    return (
      typeof value === "object" && value !== null && packSections.every((name) => Object.hasOwn(value, name))
    );
  } catch {
    return false;
  }
}
