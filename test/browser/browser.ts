import { existsSync } from "node:fs";
import process from "node:process";
import { type Browser, chromium } from "../../tools/packages.js";

const executablePath = "/usr/bin/chromium";

/** Whether to skip: only on a machine without Chromium that is no CI. */
export const noBrowser = !existsSync(executablePath) && process.env["CI"] === undefined;

/** Debian's Chromium, asked to talk to nobody. */
export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
