import { escapeCharacter, escapeLogCommands, escapeXml } from "../text/escape.js";
import { pluralize } from "../text/wording.js";
import { pageScript } from "./generated/page-script.js";
import { fullName } from "./labels.js";
import { pageData } from "./page-data.js";
import type { Picture } from "./picture.js";
import { customProperties, drawingStyle, embeddedSvg, fontFamily, legendOf } from "./svg.js";

/** A self-contained page, whose content security policy allows only its own script and style. */
export async function html(picture: Picture): Promise<string> {
  const [script, style] = await Promise.all([sha256Source(pageScript), sha256Source(pageStyle)]);
  const policy = `default-src 'none'; script-src '${script}'; style-src '${style}'; base-uri 'none'; form-action 'none'`;
  const title = escapeXml(fullName(picture.title));
  const states = pluralize(picture.states, "state");
  const about = picture.plain ? states : `${states}, ${pluralize(picture.findings.length, picture.noun)}`;
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
    pageBody(title, about, embeddedSvg(picture), legendList(picture)),
    `<script type="application/json" id="data">${scriptSafeJson(pageData(picture))}</script>`,
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

/** JSON that cannot end the script element, start a comment in it, or be read as a log command by a CI runner. */
function scriptSafeJson(value: unknown): string {
  const json = JSON.stringify(value).replace(/[<>&\u2028\u2029]/gu, escapeCharacter);
  return escapeLogCommands(json, escapeCharacter);
}

function legendList(picture: Picture): string {
  const items = legendOf(picture).map(
    ({ sign, width, words }) =>
      `<li><svg class="graph" width="${width + 4}" height="20" viewBox="-2 -3 ${width + 4} 20">${sign}</svg> ${escapeXml(words)}</li>`,
  );
  return items.length === 0 ? "" : `<div id="legend"><h3>Legend</h3><ul>${items.join("")}</ul></div>`;
}

function pageBody(title: string, about: string, drawing: string, legend: string): string {
  return `<header>
<div class="title"><h1>${title}</h1><p>${about}</p></div>
<div class="tools" role="toolbar" aria-label="View">
<input type="search" id="search" placeholder="Find a state" aria-label="Find a state" autocomplete="off" spellcheck="false">
<span id="matches" role="status"></span>
<button type="button" id="out" aria-label="Zoom out" title="Zoom out (-)">−</button>
<button type="button" id="in" aria-label="Zoom in" title="Zoom in (+)">+</button>
<button type="button" id="fit" title="Show all (0)">Fit</button>
<button type="button" id="theme" aria-pressed="false">Dark</button>
<button type="button" id="toggle" aria-controls="panel" aria-expanded="true">Details</button>
</div>
</header>
<main>
<div id="stage" tabindex="0" aria-label="Drawing. Arrow keys move it, plus and minus zoom, 0 shows all." role="region">
${drawing}
<div id="player" role="group" aria-label="Run" hidden>
<p id="where" role="status"></p>
<div class="buttons">
<button type="button" id="back">Back</button>
<button type="button" id="play" class="main">Play</button>
<button type="button" id="step">Step</button>
<button type="button" id="restart">Restart</button>
<button type="button" id="stop" aria-label="Close the run">Close</button>
</div>
</div>
</div>
<aside id="panel" aria-label="Details">${legend}</aside>
</main>
<noscript><p class="noscript">The drawing is complete; panning, details and runs need JavaScript.</p></noscript>`;
}

const themeStyle = `
:root{${customProperties("light")};--panel:#f6f8fa;--line:#d1d9e0;--focus:#0969da}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){${customProperties("dark")};--panel:#151b23;--line:#3d444d;--focus:#4493f8}}
:root[data-theme=dark]{${customProperties("dark")};--panel:#151b23;--line:#3d444d;--focus:#4493f8}
:root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}
`;

const frameStyle = `
*{box-sizing:border-box}
html,body{height:100%;margin:0}
body{display:flex;flex-direction:column;background:var(--bg);color:var(--text);font:14px/1.5 ${fontFamily};overflow:hidden}
header{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center;padding:10px 16px;border-bottom:1px solid var(--line);background:var(--panel)}
.title{min-width:0;flex:1 1 200px;display:flex;gap:10px;align-items:baseline}
h1{min-width:0;font-size:16px;line-height:1.4;margin:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.title p{margin:0;color:var(--muted);white-space:nowrap}
.tools{display:flex;flex-wrap:wrap;gap:6px;align-items:center}
button,input{font:inherit;color:inherit;background:var(--surface);border:1px solid var(--line);border-radius:6px;height:32px;padding:0 11px}
button{cursor:pointer}button:hover{border-color:var(--border)}
button.main{background:var(--accent);border-color:var(--accent);color:var(--bg);min-width:68px}
button:disabled{opacity:.5;cursor:default}
input{width:170px}
#in,#out{width:32px;padding:0;font-size:17px;line-height:1}
#matches{color:var(--muted);min-width:0;font-variant-numeric:tabular-nums}
:focus-visible{outline:2px solid var(--focus);outline-offset:2px}
main{flex:1;display:flex;min-height:0}
#stage{flex:1;position:relative;min-width:0;overflow:hidden;touch-action:none;cursor:grab}
#stage:focus-visible{outline-offset:-3px}
#stage.drag{cursor:grabbing}
#stage>svg{width:100%;height:100%;display:block;user-select:none;-webkit-user-select:none}
.noscript{position:fixed;bottom:0;left:16px}
`;

const panelStyle = `
#panel{width:370px;flex:none;border-left:1px solid var(--line);background:var(--panel);overflow:auto;padding:16px;overflow-wrap:anywhere}
#panel[hidden]{display:none}
#panel h2{font-size:17px;line-height:1.35;margin:0 0 8px}
#panel h3{font-size:12px;font-weight:600;color:var(--muted);margin:20px 0 6px;text-transform:uppercase;letter-spacing:.04em}
#panel h3 .given{text-transform:none;letter-spacing:normal}
#panel p{margin:4px 0}
#panel .muted,#panel .line{color:var(--muted)}
#panel ul{list-style:none;margin:0;padding:0}
#panel pre{font:12px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre-wrap;background:var(--bg);border:1px solid var(--line);border-radius:6px;padding:10px;margin:6px 0 0}
#panel ol{margin:0;padding:0 0 0 22px}
#panel .inside{padding-left:14px}#panel ol li{padding:3px 0}#panel ol li:focus{outline:2px solid var(--focus)}
.step{display:flex;flex-wrap:wrap;gap:6px;align-items:baseline}.step .line{margin-left:auto}
.card{background:var(--bg);border:1px solid var(--line);border-left:4px solid var(--info);border-radius:6px;padding:9px 12px;margin-bottom:8px}
.card{cursor:pointer}.card:hover{border-color:var(--border)}.card.chosen{outline:2px solid var(--accent)}
.head a,.line a{color:inherit}.head a:hover,.line a:hover{color:var(--accent)}
.no-error .all .error,.no-warning .all .warning,.no-info .all .info{display:none}
.filters{display:flex;flex-wrap:wrap;gap:6px;margin:0 0 10px}.filters button[aria-pressed=false]{opacity:.6;text-decoration:line-through}
.card.error{border-left-color:var(--error)}.card.warning{border-left-color:var(--warning)}
.card .head{display:flex;gap:8px;flex-wrap:wrap;justify-content:space-between;color:var(--muted);font-size:12px}
.card .actions{display:flex;flex-wrap:wrap;gap:6px;margin-top:7px}
.card .actions button,.small{height:27px;padding:0 9px;font-size:12.5px}
.small{max-width:100%;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.severity{font-weight:600}.error .severity{color:var(--error)}.warning .severity{color:var(--warning)}.info .severity{color:var(--info)}
.tags{display:flex;flex-wrap:wrap;gap:5px;margin:7px 0 0!important}
.tag{font-size:12px;border:1px solid var(--line);border-radius:99px;padding:0 9px;background:var(--bg)}
.rows li{display:flex;gap:8px;align-items:baseline;justify-content:space-between;border-bottom:1px solid var(--line);padding:4px 0}
.link{background:none;border:0;height:auto;padding:0;color:var(--accent);text-align:left}.link:hover{text-decoration:underline}
#legend li{display:flex;gap:9px;align-items:center}#legend svg{flex:none}
`;

const stateStyle = `
.node.state{cursor:pointer}
.node:focus{outline:none}
.node:focus-visible .box{stroke:var(--focus);stroke-width:4}
.node.chosen .box{stroke:var(--accent);stroke-width:3.5}
.node.state:hover .box{stroke-width:2.5}
.seeking .node:not(.match),.seeking .edge{opacity:.22}
.playing:not(.seeking) .node:not(.now):not(.via),.playing:not(.seeking) .edge:not(.now){opacity:.3}
.node.now .box{stroke:var(--accent);stroke-width:4;fill:var(--tint)}
.node.via .box{stroke:var(--accent);stroke-width:2.5;stroke-dasharray:6 4}
.graph .edge.now path{stroke:var(--accent);stroke-width:3.5;marker-end:url(#pp-head-now)}.head-now{fill:var(--accent)}.graph .edge.now text{fill:var(--accent);font-weight:700}
#player{position:absolute;left:50%;bottom:16px;transform:translateX(-50%);width:max-content;max-width:calc(100% - 24px);background:var(--panel);border:1px solid var(--line);border-radius:10px;padding:10px 14px;box-shadow:0 4px 18px rgba(0,0,0,.18);cursor:default}
#player[hidden]{display:none}
#player p{margin:0 0 8px;text-align:center;overflow-wrap:anywhere}
#player .buttons{display:flex;gap:6px;justify-content:center;flex-wrap:wrap}
@media (prefers-reduced-motion:no-preference){.scene.glide{transition:transform .25s}}
@media (max-width:720px){
header{padding:8px 10px}.title{flex-basis:100%}.tools{width:100%}input{flex:1;min-width:90px;width:auto}
button,input{height:38px}input{font-size:16px}#panel{padding:12px}
main{flex-direction:column}
#panel{width:auto;max-height:46%;border-left:0;border-top:1px solid var(--line);border-radius:14px 14px 0 0;box-shadow:0 -4px 18px rgba(0,0,0,.15)}
#player{bottom:8px;padding:8px 10px}#player button{padding:0 9px}
}
@media (max-width:720px) and (pointer:coarse){#in,#out{display:none}}
`;

const pageStyle = themeStyle + drawingStyle + frameStyle + panelStyle + stateStyle;
