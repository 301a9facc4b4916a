import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { basename, dirname, join, parse, resolve, sep } from "node:path";
import process from "node:process";
import { lazy, tryTo } from "../../text/collections.js";
import { isLink, realPathOf, staysInside } from "./paths.js";
import { errorCode, FileError, readRegularFile, statIfExists } from "./read-file.js";

type Content = Iterable<string | Uint8Array>;

/** A draft or a lock, whose name contains the process that made it. */
export interface OwnedFile {
  readonly name: string;
  readonly host: string;
  readonly pid: number;
  /** In milliseconds, by the clock of the file system. */
  readonly written: number;
}

/** A descriptor, or what tells a folder from others. */
type Held = number | { readonly dev: bigint; readonly ino: bigint };

interface PutOptions {
  /** Fails with EEXIST if there is a file. */
  readonly isNew?: boolean;
  /** For a new file; another keeps its own. */
  readonly mode?: number;
  /** How the name of the draft begins. */
  readonly prefix?: string;
  /** Whether the content has to survive a power failure. */
  readonly isDurable?: boolean;
  /** Runs just before the draft is renamed, and may throw to prevent it. */
  readonly confirm?: () => void;
}

/**
 * A folder to write in. Its path has no links; one that takes its place, or that of a folder above, is not followed. Linux
 * looks names up in the open folder itself; elsewhere, the folder is compared before and after each step.
 */
export class HeldFolder {
  private constructor(
    readonly path: string,
    private readonly held: Held,
  ) {}

  static open(path: string, create = false): HeldFolder {
    const { root } = parse(path);
    let folder = new HeldFolder(root, holdFolder(root));
    for (const name of path.slice(root.length).split(sep)) {
      if (name === "") continue;
      const outer = folder;
      try {
        if (create) outer.makeFolder(name);
        folder = new HeldFolder(join(outer.path, name), holdFolder(outer.at(name)));
      } finally {
        outer.close();
      }
    }
    return folder;
  }

  close(): void {
    if (typeof this.held === "number") closeSync(this.held);
  }

  /** The path of a file, for as long as the folder is held. */
  at(name: string): string {
    if (typeof this.held === "number") return `${descriptors}/${this.held}/${name}`;
    const { dev, ino } = lstatSync(this.path, { bigint: true });
    if (dev !== this.held.dev || ino !== this.held.ino) throw new FileError(replacedByLink);
    return join(this.path, name);
  }

  /** Creates a small file, unless there is one of its name. */
  create(name: string, content: string): void {
    writeAndClose(openSync(this.at(name), "wx"), [content]);
  }

  remove(name: string): void {
    rmSync(this.at(name), { force: true });
  }

  /** Drafts and locks whose names begin like this; the rest captures the host and the process id. */
  owned(start: string, rest: RegExp): readonly OwnedFile[] {
    return readdirSync(this.at("."), { withFileTypes: true }).flatMap((entry) => {
      if (!entry.isFile() || !entry.name.startsWith(start)) return [];
      const [, host, pid] = rest.exec(entry.name.slice(start.length)) ?? [];
      const written = lstatSync(this.at(entry.name), { throwIfNoEntry: false })?.mtimeMs;
      if (host === undefined || written === undefined) return [];
      return { name: entry.name, host, pid: Number(pid), written };
    });
  }

  /** Removes what killed processes left here while they replaced files. */
  removeAbandonedDrafts(): void {
    tryTo(() => {
      for (const draft of this.owned(".promptpack-", /^([\da-f]+)\.(\d+)-\d+\.tmp$/u))
        if (!isInUse(draft, Date.now())) this.remove(draft.name);
    });
  }

  /**
   * Puts a file in place as a whole: even after a crash, there is the old content or all of the new. Only a regular file is
   * replaced, and its owner and mode are kept.
   */
  put(name: string, content: Content, options: PutOptions = {}): void {
    const { isNew = false, mode = 0o666, prefix = `.promptpack-${hostId()}.`, isDurable = true } = options;
    const old = this.statRegularFile(name);
    const draft = this.openDraft(prefix, old === undefined ? mode : 0o600);
    try {
      writeAndClose(draft.descriptor, content, (descriptor) => {
        if (old !== undefined) copyOwnerAndMode(descriptor, old);
        if (isDurable) fsyncSync(descriptor);
      });
      retryWhileLocked(() => {
        options.confirm?.();
        if (isNew) this.moveToNew(draft.name, name);
        else renameSync(this.at(draft.name), this.at(name));
      });
    } catch (error) {
      tryTo(() => this.remove(draft.name));
      throw error;
    }
    if (isDurable) syncFolder(this.at("."));
  }

  private statRegularFile(name: string): Stats | undefined {
    const stats = lstatSync(this.at(name), { throwIfNoEntry: false });
    if (stats?.isSymbolicLink()) throw new FileError(replacedByLink);
    if (stats?.isDirectory()) throw new FileError("is a folder");
    if (stats?.isFile() === false) throw new FileError("is not a regular file");
    return stats;
  }

  /** In the folder itself: a rename is atomic only within one file system. */
  private openDraft(prefix: string, mode: number): { readonly name: string; readonly descriptor: number } {
    for (let number = 0; ; number++) {
      const name = `${prefix}${process.pid}-${number}.tmp`;
      try {
        return { name, descriptor: openSync(this.at(name), "wx", mode) };
      } catch (error) {
        // A killed run may have left one behind.
        if (errorCode(error) !== "EEXIST" || number > 1_000) throw error;
      }
    }
  }

  /** Unlike a rename, a second name replaces nothing; but some disks have no second names. */
  private moveToNew(draft: string, name: string): void {
    try {
      linkSync(this.at(draft), this.at(name));
    } catch (error) {
      if (errorCode(error) === "EEXIST" || this.statRegularFile(name) !== undefined) throw error;
      renameSync(this.at(draft), this.at(name));
    }
    this.remove(draft);
  }

  /** Node's `recursive` option loops forever where no folder can be made, as in /proc. */
  private makeFolder(name: string): void {
    const path = this.at(name);
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return;
    try {
      mkdirSync(path);
    } catch (error) {
      // Another process may have made it meanwhile.
      if (errorCode(error) !== "EEXIST") throw error;
    }
  }
}

/** In milliseconds. Drafts and locks are needed for far less. */
const maxAge = 60_000;

/** Process ids are reused, so the age counts, too. The clock may have been set back. */
export function isInUse({ host, pid, written }: OwnedFile, now: number): boolean {
  return Math.abs(now - written) < maxAge && isAlive(host, pid);
}

/** Processes on other machines cannot be checked, so they count as alive. */
function isAlive(host: string, pid: number): boolean {
  if (host !== hostId()) return true;
  // We look only while we have none, so an earlier process with our id made it.
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

/** Machines or containers that share a folder may have equal process ids. Hashed, since not all names are file names. */
export const hostId = lazy(() => {
  // Only Linux has several.
  const pidNamespace = tryTo(() => readlinkSync("/proc/self/ns/pid")) ?? "";
  // Loaded late: it takes longer than linting a small pack.
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256").update(`${hostname()} ${pidNamespace}`).digest("hex").slice(0, 12);
});

/** In Linux, what is opened has a path here that leads to it wherever it is moved. */
const descriptors = "/proc/self/fd";

/** From Linux's fcntl.h; Node does not list it. Such a folder need not be readable. */
const O_PATH = 0o10_000_000;

const replacedByLink = "has been replaced by a link, or is in a folder that has, so it was left alone";

function holdFolder(path: string): Held {
  const stats = lstatSync(path, { bigint: true });
  if (stats.isSymbolicLink()) throw new FileError(replacedByLink);
  if (!stats.isDirectory()) throw new FileError("cannot be written: not a directory");
  if (process.platform !== "linux" || !existsSync(descriptors)) return stats;
  return openSync(path, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW);
}

export function inFolder<Result>(
  path: string,
  create: boolean,
  work: (folder: HeldFolder) => Result,
): Result {
  const folder = HeldFolder.open(path, create);
  try {
    return work(folder);
  } finally {
    folder.close();
  }
}

/**
 * Where to write a file that need not exist yet. A link is followed only within `folder`, or the repository that this is in:
 * a repository must not make us write elsewhere. To be asked before the first file is written.
 */
export function resolveTarget(file: string, cwd = "", folder?: string): string {
  const path = resolveFile(cwd, file);
  const target = resolveLinks(path);
  const isInside = target === path || staysInside(folder ?? resolveLinks(dirname(path)), path, target);
  if (!isInside)
    throw new FileError("leads out of its folder and repository through a link, so it was not written");
  return target;
}

function resolveFile(cwd: string, file: string): string {
  if (file.endsWith("/") || file.endsWith(sep)) throw new FileError("is a folder");
  return resolve(cwd, file);
}

/** The path without its links, as far as it exists. */
export function resolveLinks(path: string): string {
  if (statIfExists(path) !== undefined) return realPathOf(path);
  const folder = resolveLinks(dirname(path));
  return isLink(path) ? resolveLinks(resolve(folder, readlinkSync(path))) : join(folder, basename(path));
}

/** Writes a file whose links are resolved, and the folders that it needs. */
export function putFile(target: string, content: Content, options?: PutOptions): void {
  inFolder(dirname(target), true, (folder) => {
    folder.removeAbandonedDrafts();
    folder.put(basename(target), content, options);
  });
}

/** Writes what the user has named as an output: wherever links lead, and to a device or a pipe, too. */
export function writeOutputFile(cwd: string, file: string, content: Content): void {
  const path = resolveFile(cwd, file);
  if (isDevice(path)) writeAndClose(openSync(path, "a"), content);
  else putFile(resolveLinks(path), content);
}

/** A device such as /dev/stderr is written to, not replaced, even if it is redirected to a file. */
function isDevice(path: string): boolean {
  if (/^\/(?:dev|proc)\//u.test(path) && isLink(path)) return true;
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && !stats.isFile() && !stats.isDirectory();
}

/** Replaces a file that was read as `old`, unless it has changed since. Its links have been resolved. */
export function replaceFile(target: string, old: Uint8Array, content: Uint8Array): void {
  inFolder(dirname(target), false, (folder) => {
    const name = basename(target);
    accessSync(folder.at(name), constants.W_OK);
    const confirm = (): void => {
      if (Buffer.compare(readRegularFile(folder.at(name), old.length, false), old) !== 0)
        throw new FileError("changed while it was being fixed, so it was left alone");
    };
    folder.put(name, [content], { confirm });
  });
}

export function removeAbandonedDrafts(folder: string): void {
  tryTo(() => inFolder(folder, false, (held) => held.removeAbandonedDrafts()));
}

/** Appends to a regular file, wherever links lead. */
export function appendToFile(path: string, content: (existingBytes: number) => string): void {
  const target = resolveLinks(path);
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const flags = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK;
  inFolder(dirname(target), true, (folder) => {
    const descriptor = openSync(folder.at(basename(target)), flags);
    const stats = fstatSync(descriptor);
    writeAndClose(descriptor, stats.isFile() ? [content(stats.size)] : []);
    if (!stats.isFile()) throw new FileError("is not a regular file");
  });
}

/** A file for a page, in a folder that only the user can read. It stays, because the browser may reload the page. */
export function temporaryPage(): string {
  return join(realPathOf(mkdtempSync(join(tmpdir(), "promptpack-"))), "graph.html");
}

/** On Windows, a file cannot be renamed while a virus scanner or an indexer has it open for a moment. */
function retryWhileLocked(rename: () => void): void {
  for (let retries = 10; ; retries--) {
    try {
      rename();
      return;
    } catch (error) {
      const isLocked = ["EPERM", "EACCES", "EBUSY"].includes(errorCode(error) ?? "");
      if (process.platform !== "win32" || !isLocked || retries === 0) throw error;
      sleepSync(50);
    }
  }
}

export function sleepSync(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

function copyOwnerAndMode(descriptor: number, { uid, gid, mode }: Stats): void {
  const own = fstatSync(descriptor);
  // Only an administrator may change owners, and some disks have no modes; the content matters more.
  if (own.uid !== uid || own.gid !== gid) tryTo(() => fchownSync(descriptor, uid, gid));
  tryTo(() => fchmodSync(descriptor, mode & 0o7777));
}

/** A single write may be partial, as on a disk that is nearly full. */
function writeAndClose(descriptor: number, content: Content, finish?: (descriptor: number) => void): void {
  try {
    for (const piece of content) {
      const bytes = Buffer.from(piece);
      for (let written = 0; written < bytes.length;)
        written += writeSync(descriptor, bytes, written, bytes.length - written);
    }
    finish?.(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Makes the rename survive a power failure, on systems where folders can be synced. */
function syncFolder(folder: string): void {
  try {
    writeAndClose(openSync(folder, constants.O_RDONLY), [], fsyncSync);
  } catch (error) {
    if (!["EISDIR", "EPERM", "EACCES", "EINVAL", "EBADF"].includes(errorCode(error) ?? "")) throw error;
  }
}
