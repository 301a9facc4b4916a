import { escapeCharacter } from "../words/escape-character.js";
import { pluralize } from "../words/wording.js";
import type { DrawablePack } from "./build-picture.js";
import { fullName } from "./labels.js";
import { pageData } from "./page/page-data.js";
import { pageBody } from "./page/body.js";
import { pageScript } from "./page/script.js";
import { pageStyle } from "./page/style.js";
import type { Picture } from "./picture.js";
import { embeddedSvg } from "./svg.js";
import { escapeLogCommands } from "../text/log-commands.js";
import { escapeXml } from "../text/xml.js";

/** One page that needs nothing else, and may ask for nothing else: its policy allows its own script and style alone. */
export async function html(picture: Picture, pack: DrawablePack): Promise<string> {
  const [script, style] = await Promise.all([sha256Source(pageScript), sha256Source(pageStyle)]);
  const policy = `default-src 'none'; script-src '${script}'; style-src '${style}'; base-uri 'none'; form-action 'none'`;
  const title = escapeXml(fullName(picture.title));
  const found = picture.plain ? [] : [pluralize(picture.findings.length, "finding")];
  const about = [pluralize(picture.states, "state"), ...found].join(", ");
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="color-scheme" content="light dark">',
    `<title>${title}</title>`,
    `<style>${pageStyle}</style>`,
    "</head>",
    "<body>",
    pageBody({ title, about, drawing: embeddedSvg(picture) }),
    `<script type="application/json" id="data">${scriptSafeJson(pageData(picture, pack))}</script>`,
    `<script>${pageScript}</script>`,
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

async function sha256Source(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}

/** JSON in which nothing can end the script element or begin a comment in it, nor give a command to a runner. */
function scriptSafeJson(value: unknown): string {
  const json = JSON.stringify(value).replace(/[<>&\u2028\u2029]/gu, escapeCharacter);
  return escapeLogCommands(json, escapeCharacter);
}
