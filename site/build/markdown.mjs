import { deflateRawSync } from "node:zlib";
import { jsonLanguage } from "@codemirror/lang-json";
import { yamlLanguage } from "@codemirror/lang-yaml";
import { classHighlighter, highlightCode } from "@lezer/highlight";
import MarkdownIt from "markdown-it";

export const escapeHtml = (text) =>
  text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);

/**
 * Renders the Markdown of the repository. `resolve(target)` turns the target of a link into its address on the page, or
 * undefined if there is none; `playground` is the address of the playground, and `isPack` says what can be opened there.
 */
export function renderMarkdown(source, { resolve, playground, isPack }) {
  const markdown = new MarkdownIt({ html: false });
  const headings = [];
  markdown.renderer.rules.fence = (tokens, index) => fence(tokens[index], playground, isPack);
  markdown.renderer.rules.table_open = () => '<div class="table"><table>\n';
  markdown.renderer.rules.table_close = () => "</table></div>\n";
  markdown.core.ruler.push("site", ({ tokens }) => {
    const used = new Map();
    for (const [index, token] of tokens.entries()) {
      if (token.type === "heading_open") addAnchor(token, tokens[index + 1], used, headings);
      for (const child of token.children ?? []) resolveTarget(child, resolve);
    }
  });
  const html = markdown.render(withoutHtml(source));
  return { html, headings };
}

/** A line with Markdown in it, such as the summary of a rule. */
export function renderLine(source) {
  return new MarkdownIt({ html: false }).renderInline(source);
}

/** Comments are for the tests, and `<br>` is the only tag in use. Code keeps both. */
function withoutHtml(source) {
  return source
    .split(/(^```[^]*?^```$)/m)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replace(/<!--[^]*?-->\n?/g, "").replace(/<br>$/gm, "\\"),
    )
    .join("");
}

/** Ids the way GitHub makes them, so that links work in both places. */
function addAnchor(heading, inline, used, headings) {
  const text = inline.children.map(({ content }) => content).join("");
  const slug = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
  const count = used.get(slug) ?? 0;
  used.set(slug, count + 1);
  const id = count === 0 ? slug : `${slug}-${count}`;
  heading.attrSet("id", id);
  headings.push({ level: Number(heading.tag.slice(1)), id, text });
}

/** A link that leads nowhere on the site becomes plain text. */
function resolveTarget(token, resolve) {
  if (token.type === "image") {
    token.attrSet("src", resolve(token.attrGet("src")) ?? "");
    token.attrSet("loading", "lazy");
  } else if (token.type === "link_open") {
    const address = resolve(token.attrGet("href"));
    if (address === undefined) token.attrs = null;
    else token.attrSet("href", address);
  }
}

function fence({ info, content }, playground, isPack) {
  const language = info.trim();
  const code = `<pre class="${escapeHtml(language || "plain")}"><code>${highlight(content, language)}</code></pre>`;
  if (!["yaml", "json"].includes(language) || !isPack(content)) return `${code}\n`;
  const link = `<a class="try" href="${playground}#pack=${packInLink(content)}">Open in the playground</a>`;
  return `<div class="example">${code}${link}</div>\n`;
}

/** Not compressed, because versions of zlib compress differently, and the site should not. */
function packInLink(text) {
  return deflateRawSync(text, { level: 0 }).toString("base64url");
}

const languages = { yaml: yamlLanguage, json: jsonLanguage };

function highlight(code, name) {
  if (name === "text") return highlightOutput(code);
  const language = languages[name];
  if (language === undefined) return escapeHtml(code);
  let html = "";
  highlightCode(
    code,
    language.parser.parse(code),
    classHighlighter,
    (text, classes) => {
      html += classes === "" ? escapeHtml(text) : `<span class="${classes}">${escapeHtml(text)}</span>`;
    },
    () => {
      html += "\n";
    },
  );
  return html;
}

/** The colours that the program has in a terminal. */
function highlightOutput(text) {
  return escapeHtml(text)
    .replace(/^(\s+\d+:\d+\s+)(error|warning|info)(?=\s)/gm, '$1<span class="$2">$2</span>')
    .replace(/^(\s+│\s+)(\^+)$/gm, '$1<span class="caret">$2</span>')
    .replace(/^(\s+)(↻.*)$/gm, '$1<span class="lap">$2</span>');
}
