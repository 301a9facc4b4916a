import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

type Files = Readonly<Record<string, string>>;

/** The files of a folder, by their names in it. */
export function filesBelow(folder: string): Files {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => statSync(join(folder, name)).isFile()).sort();
  return Object.fromEntries(
    files.map((name) => [name.replaceAll("\\", "/"), readFileSync(join(folder, name), "utf8")]),
  );
}

/** The example of a project, with a slip in `prompts/book.yaml`. */
export const slipProject = filesBelow("examples/repair");
export const cleanProject: Files = {
  ...slipProject,
  "prompts/book.yaml": (slipProject["prompts/book.yaml"] ?? "").replace("{{shopp}}", "{{shop}}"),
};

/** The same with another text in one of its files. */
export function withChange(name: string, from: string, to: string): Files {
  const text = cleanProject[name] ?? "";
  if (!text.includes(from)) throw new Error(`"${name}" has no "${from}".`);
  return { ...cleanProject, [name]: text.replace(from, to) };
}

/** All files in a folder. */
export function inFolder(folder: string, files: Files): Files {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));
}
