import type * as Fs from "node:fs";
import { tmpdir } from "node:os";
import type * as Path from "node:path";

type Anything = (...args: readonly unknown[]) => unknown;

/** The file system as Windows shows it: `C:\a` is `C/a` in a new folder of this system. */
export function windowsDisk(fs: typeof Fs, { posix }: typeof Path) {
  const root = fs.mkdtempSync(posix.join(fs.realpathSync(tmpdir()), "promptpack-windows-"));
  const behind = (path: unknown): unknown =>
    path === "/proc/self/fd"
      ? posix.join(root, "none")
      : typeof path === "string" && /^[A-Z]:\\/iu.test(path)
        ? posix.join(root, path.charAt(0).toUpperCase(), ...path.slice(3).split("\\"))
        : path;
  const shown = (path: string): string => {
    const [drive = "", ...names] = posix.relative(root, path).split("/");
    return `${drive}:\\${names.join("\\")}`;
  };
  const wrapped = Object.entries(fs).map(([name, member]): [string, unknown] => {
    if (typeof member !== "function") return [name, member];
    return [name, (...args: readonly unknown[]) => (member as Anything)(...args.map(behind))];
  });
  const realpath = (path: string): string => shown(fs.realpathSync(String(behind(path))));
  const realpathSync = Object.assign(realpath, { native: realpath });
  return { root, fs: { ...Object.fromEntries(wrapped), realpathSync } };
}
