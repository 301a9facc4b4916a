/** A file of a project in the playground, or the only text that there is, which has no name. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** More tabs than anybody can use. */
export const maxFiles = 100;

/** One text of all files, for the link and the worker: no file that can be read holds a NUL. */
export function joinFiles(files: readonly NamedText[]): string {
  const [first, ...others] = files.map(({ name, text }) => [name, text.replaceAll("\0", " ")].join("\0"));
  if (first === undefined) return "";
  return others.length === 0 && files[0]?.name === "" ? first.slice(1) : ["", first, ...others].join("\0");
}

/** The files of a text that `joinFiles` made; of any other, one that holds all of it. */
export function splitFiles(all: string): readonly NamedText[] {
  const [before, ...parts] = all.split("\0", 2 * maxFiles + 2);
  const files = parts.flatMap((name, index) =>
    index % 2 === 0 ? [{ name, text: parts[index + 1] ?? "" }] : [],
  );
  const names = new Set(files.map(({ name }) => name));
  const isProject = before === "" && parts.length % 2 === 0 && names.size * 2 === parts.length;
  return isProject && files.length > 0 && files.length <= maxFiles ? files : [{ name: "", text: all }];
}
