import { escapeHtml } from "./markdown.mjs";

/** Two states that send a run back and forth. */
const logo =
  '<svg viewBox="0 0 24 24" width="26" height="26" aria-hidden="true"><g fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"><path d="M4 9a8.2 8.2 0 0 1 14.6-2.5M20 15a8.2 8.2 0 0 1-14.6 2.5"/><path d="M18.9 2.6v4.1h-4.1M5.1 21.4v-4.1h4.1"/></g><circle cx="12" cy="12" r="3.2" fill="currentColor"/></svg>';

const moon =
  '<svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true"><path d="M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5Z" fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round"/></svg>';

/** Only files of the site, and nothing inline. */
const strictPolicy = {
  "default-src": "'none'",
  "script-src": "'self'",
  "style-src": "'self'",
  "img-src": "'self'",
  "base-uri": "'none'",
  "form-action": "'none'",
};

/** From a page to the root: `../`, or nothing. */
export const rootFrom = (path) => "../".repeat(path.split("/").length - 1);

/**
 * A whole page. `path` is its place in the site, `section` the part of the site it belongs to, and `side` what stands
 * beside the text.
 */
export function layout(page, { homepage, version }) {
  const { path, title, description, main, side = "", toc = "", section, scripts = [], styles = [] } = page;
  const root = rootFrom(path);
  const policy = Object.entries({ ...strictPolicy, ...page.policy }).map((entry) => entry.join(" "));
  const canonical =
    homepage === undefined ? "" : `\n<link rel="canonical" href="${escapeHtml(homepage)}/${path}">`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy.join("; ")}">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<meta name="description" content="${escapeHtml(description)}">${canonical}
<link rel="icon" href="${root}favicon.svg" type="image/svg+xml">
${["site", ...styles].map((name) => `<link rel="stylesheet" href="${root}${name}.css">`).join("\n")}
<script src="${root}theme.js"></script>
</head>
<body class="${page.look ?? "docs"}">
<a class="skip" href="#main">Skip to the content</a>
${header(root, section)}
${page.look === undefined ? `<div class="shell${side === "" ? " alone" : ""}">\n${main}\n${side}${toc}\n</div>` : main}
${page.hasFooter === false ? "" : footer(root, version)}
${["site", ...scripts].map((name) => `<script src="${root}${name}.js" defer></script>`).join("\n")}
</body>
</html>
`;
}

function header(root, section) {
  const link = (name, address) =>
    `<a href="${root}${address}"${name === section ? ' aria-current="page"' : ""}>${name}</a>`;
  return `<header class="top">
<a class="brand" href="${root}index.html" aria-label="promptpack, home">${logo}<span>promptpack</span></a>
<nav aria-label="Site">
${link("Rules", "rules/index.html")}
${link("Guides", "guides/index.html")}
${link("Playground", "playground.html")}
</nav>
<form id="search-form" role="search" data-root="${root}" data-index="${root}search-index.js">
<input type="search" id="search" placeholder="Search" aria-label="Search the site" autocomplete="off" spellcheck="false">
<kbd aria-hidden="true">/</kbd>
<div id="search-panel" hidden>
<p id="result-count" role="status"></p>
<ul id="results"></ul>
</div>
</form>
<button type="button" id="theme" aria-pressed="false" aria-label="Dark theme" title="Dark theme">${moon}</button>
</header>`;
}

function footer(root, version) {
  return `<footer>
<p>promptpack ${escapeHtml(version)} · MIT licence · <a href="${root}guides/changelog.html">Changelog</a> · <a href="${root}guides/security.html">Security</a> · <a href="${root}third-party-licenses.txt">Third-party licences</a></p>
<p>This site makes no request to any other server.</p>
</footer>`;
}
