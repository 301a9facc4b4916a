import { finished, type Readable } from "node:stream";
import {
  AbstractMessageReader,
  type DataCallback,
  Disposable,
  ExitNotification,
  type Message,
} from "vscode-languageserver-protocol/node";

/** The build keeps the Language Server Protocol in a file of its own, as only `lsp` needs it. */
export * from "vscode-languageserver-protocol/node";
export { TextDocument } from "vscode-languageserver-textdocument";

const headerPattern = /^content-length: *([1-9]\d*) *\r\n(?:.*\r\n)?\r\n$/imu;
/** Also after wrong line breaks, and after more characters than any header needs. */
const headerEnd = /\n\r?\n$|^[^]{1000}/u;

/** Reads messages up to the first bad one. The library's reader may wait forever for the end of a header. */
export class MessageReader extends AbstractMessageReader {
  /** Why there are no more messages. */
  fault = "The editor is gone.";
  private header = "";

  constructor(private readonly input: Readable) {
    super();
  }

  listen(receive: DataCallback): Disposable {
    const { input } = this;
    input.on("readable", () => {
      try {
        for (let message = this.next(); message !== undefined; message = this.next()) receive(message);
      } catch {
        this.fault =
          "The editor sent a message that cannot be read: send a header with Content-Length, an empty line and JSON.";
        input.destroy();
      }
    });
    // As a message, the end is handled after those that are waiting.
    const exit = { jsonrpc: "2.0", method: ExitNotification.method };
    finished(input, { writable: false }, () => receive(exit));
    return Disposable.create(() => input.destroy());
  }

  /** Undefined until the whole message has arrived. */
  private next(): Message | undefined {
    while (!headerEnd.test(this.header)) {
      const byte = this.input.read(1) as Buffer | null;
      if (byte === null) return undefined;
      this.header += byte.toString();
    }
    const length = headerPattern.exec(this.header)?.[1];
    if (length === undefined) throw new Error("bad header");
    const body = this.input.read(Number(length)) as Buffer | null;
    // If the input has ended, this is the rest of it.
    if (body === null || body.length < Number(length)) return undefined;
    this.header = "";
    return JSON.parse(body.toString()) as Message;
  }
}
