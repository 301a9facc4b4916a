import { posix } from "node:path";
import { escapeHtml, renderLine, renderMarkdown } from "./markdown.mjs";
import { rootFrom } from "./layout.mjs";

const title = (name) => `${name} · promptpack`;
const textOf = (html) =>
  unescapeHtml(html.replace(/<[^>]+>/g, ""))
    .replace(/\s+/g, " ")
    .trim();
const unescapeHtml = (html) =>
  html.replace(/&(lt|gt|quot|amp);/g, (_, name) => ({ lt: "<", gt: ">", quot: '"', amp: "&" })[name]);

/**
 * All pages of the site, from the Markdown of the repository by path, the groups of rules, and the examples of the
 * playground. The place of a file on the site is decided here, and nowhere else.
 */
export class SitePages {
  constructor({ sources, ruleGroups, examples, isPack, repository, framePolicy }) {
    Object.assign(this, { sources, ruleGroups, examples, isPack, repository, framePolicy });
    this.places = new Map([...sources.keys()].map((path) => [path, placeOf(path)]));
    this.rules = ruleGroups.flatMap((group) => group.rules.map((rule) => ({ rule, group })));
    this.guides = [...sources.keys()].filter((path) => !/^docs\/rules[./]/.test(path)).sort(compareGuides);
    this.pictures = new Set();
    this.summaries = new Map(this.guides.map((path) => [path, this.summary(path)]));
  }

  all() {
    return [
      this.home(),
      this.playground(),
      this.guideIndex(),
      ...this.guides.map((path) => this.guide(path)),
      this.ruleIndex(),
      ...this.rules.map((_, index) => this.rulePage(index)),
    ];
  }

  /** The Markdown of a file, as it is rendered on the page at `place`. */
  render(path, place, source = this.sources.get(path)) {
    const root = rootFrom(place);
    return renderMarkdown(source, {
      resolve: (target) => this.resolve(target, path, root),
      playground: `${root}playground.html`,
      isPack: this.isPack,
    });
  }

  resolve(target, path, root) {
    if (/^https?:/.test(target) || target.startsWith("#")) return target;
    const [file, anchor] = target.split("#");
    const wanted = posix.join(posix.dirname(path), file);
    const hash = anchor === undefined ? "" : `#${anchor}`;
    const place = this.places.get(wanted);
    if (place !== undefined) return root + place + hash;
    if (wanted.startsWith("docs/pictures/")) {
      this.pictures.add(wanted);
      return `${root}pictures/${posix.basename(wanted)}`;
    }
    const example = this.examples.find(({ path: source }) => source === wanted);
    if (example !== undefined) return `${root}playground.html#example=${example.name}`;
    return this.repository && `${this.repository}/blob/HEAD/${wanted}`;
  }

  home() {
    const path = "index.html";
    const { html } = this.render("README.md", path);
    const opening = html.slice(0, html.search(/<h2|$/));
    const [what = "", why = ""] = [...opening.matchAll(/<p>([^]*?)<\/p>/g)].map((match) => match[1]);
    const output = /<pre class="text">[^]*?<\/pre>/.exec(html)?.[0] ?? "";
    return {
      path,
      title: "promptpack: a linter for PromptPack files",
      description: textOf(what),
      look: "home",
      main: `<main id="main">
<section class="hero">
<div>
<h1>${what}</h1>
<p>${why}</p>
<p class="actions"><a class="button main" href="playground.html">Open the playground</a> <a class="button" href="guides/index.html">Read the guides</a></p>
</div>
<figure><img src="pictures/first-example.svg" alt="A workflow of five states, drawn by promptpack; a loop of two of them is red"><figcaption>${escapeHtml(this.examples[0].title)}, drawn by <code>promptpack graph</code></figcaption></figure>
</section>
<section class="shows">
<figure><figcaption><code>promptpack lint</code></figcaption>${output}</figure>
</section>
<section>
<h2>${this.rules.length} rules, each with an example</h2>
<ul class="cards">
${this.ruleGroups.map((group) => card(`rules/index.html#${slug(group.title)}`, group.title, groupSummary(group))).join("\n")}
</ul>
</section>
<section>
<h2>Guides</h2>
${this.guideCards(path)}
</section>
</main>`,
    };
  }

  guideCards(page) {
    const root = rootFrom(page);
    const cards = this.guides.map((path) => {
      const { name, about } = this.summaries.get(path);
      return card(root + this.places.get(path), name, about);
    });
    return `<ul class="cards">\n${cards.join("\n")}\n</ul>`;
  }

  /** What a guide is called, and its first sentence. */
  summary(path) {
    const { html, headings } = this.render(path, this.places.get(path));
    const first = textOf(/<p>([^]*?)<\/p>/.exec(html)?.[1] ?? "");
    const name = path === "README.md" ? "Overview" : (headings[0]?.text ?? path);
    return { name, about: /^.*?[.!?](?= |$)/.exec(first)?.[0] ?? first };
  }

  guideIndex() {
    return {
      path: "guides/index.html",
      title: title("Guides"),
      description: "How to install, configure and use promptpack.",
      section: "Guides",
      main: `<main id="main"><h1>Guides</h1>\n${this.guideCards("guides/index.html")}</main>`,
      side: this.guideSide("guides/index.html"),
    };
  }

  guideSide(page) {
    const root = rootFrom(page);
    const links = (paths) => {
      const items = paths.map((path) => {
        const place = this.places.get(path);
        return sideLink(root + place, escapeHtml(this.summaries.get(path).name), place === page);
      });
      return `<ul>${items.join("\n")}</ul>`;
    };
    const guides = this.guides.filter((path) => !isAboutProject(path));
    return `<nav class="side" aria-label="Guides">
<h2>Guides</h2>${links(guides)}
<h2>Project</h2>${links(this.guides.filter(isAboutProject))}
</nav>`;
  }

  guide(path) {
    const place = this.places.get(path);
    const { html, headings } = this.render(path, place);
    return {
      path: place,
      title: title(headings[0]?.text ?? path),
      description: this.summaries.get(path).about,
      section: "Guides",
      main: `<main id="main" class="prose">${html}</main>`,
      side: this.guideSide(place),
      toc: tableOfContents(headings),
      text: html,
      headings,
    };
  }

  /** The tables come from the rules; what `docs/rules.md` says above and below its own is kept. */
  ruleIndex() {
    const path = "rules/index.html";
    const groups = this.ruleGroups.map(
      ({ title: name, rules }) => `<h2 id="${slug(name)}">${escapeHtml(name)}</h2>
<table class="rules">
<thead><tr><th scope="col">Rule</th><th scope="col">Severity</th><th scope="col">Fix</th><th scope="col">Since</th><th scope="col">What it asks for</th></tr></thead>
<tbody>
${rules.map(ruleRow).join("\n")}
</tbody>
</table>`,
    );
    const file = "docs/rules.md";
    const [before, after = ""] = (
      this.sources.get(file) ??
      "# Rules\n\nEach rule has a page: why it matters, and what is wrong and right.\n"
    ).split(/<!-- rules:start -->[^]*<!-- rules:end -->/);
    return {
      path,
      title: title("Rules"),
      description: `The ${this.rules.length} rules of promptpack, by topic.`,
      section: "Rules",
      main: `<main id="main" class="prose">${this.render(file, path, before).html}
${groups.join("\n")}
${this.render(file, path, after).html}</main>`,
      side: this.ruleSide(path),
    };
  }

  ruleSide(page, current) {
    const root = rootFrom(page);
    const groups = this.ruleGroups.map((group) => {
      const { title: name, rules } = group;
      if (current === undefined) return `<li><a href="#${slug(name)}">${escapeHtml(name)}</a></li>`;
      const items = rules.map(({ id }) => sideLink(`${root}rules/${id}.html`, id, id === current.rule.id));
      const open = group === current.group ? " open" : "";
      return `<li><details${open}><summary>${escapeHtml(name)}</summary><ul>${items.join("\n")}</ul></details></li>`;
    });
    const heading = current === undefined ? "Topics" : `<a href="${root}rules/index.html">All rules</a>`;
    return `<nav class="side" aria-label="Rules"><h2>${heading}</h2><ul>${groups.join("\n")}</ul></nav>`;
  }

  rulePage(index) {
    const current = this.rules[index];
    const { rule, group } = current;
    const path = `rules/${rule.id}.html`;
    const file = `docs/rules/${rule.id}.md`;
    // The head of the file says what the catalogue of rules says, too.
    const body = this.sources.get(file).replace(/^# .*\n\n.*\n\n\*\*Severity:\*\*.*\n/u, "");
    const { html, headings } = this.render(file, path, body);
    const neighbour = (offset, rel, label) => {
      const next = this.rules[index + offset]?.rule.id;
      return next === undefined
        ? "<span></span>"
        : `<a rel="${rel}" href="${next}.html"><span>${label}</span>${next}</a>`;
    };
    return {
      path,
      title: title(rule.id),
      description: textOf(renderLine(rule.summary)),
      section: "Rules",
      main: `<main id="main" class="prose">
<p class="crumbs"><a href="index.html">Rules</a> / <a href="index.html#${slug(group.title)}">${escapeHtml(group.title)}</a></p>
<h1>${rule.id}</h1>
<p class="lead">${renderLine(rule.summary)}</p>
<dl class="facts">${ruleFacts(rule)}</dl>
${html}
<nav class="neighbours" aria-label="Neighbours">${neighbour(-1, "prev", "Before")}${neighbour(1, "next", "Next")}</nav>
</main>`,
      side: this.ruleSide(path, current),
      toc: tableOfContents(headings),
      text: `<p>${renderLine(rule.summary)}</p>${html}`,
      name: rule.id,
      headings,
    };
  }

  playground() {
    const options = this.examples.map(
      ({ name, title: label }) => `<option value="${name}">${escapeHtml(label)}</option>`,
    );
    return {
      path: "playground.html",
      title: title("Playground"),
      description: "Lint, draw and simulate a PromptPack file in the browser. Nothing leaves the page.",
      section: "Playground",
      look: "play",
      hasFooter: false,
      styles: ["playground"],
      scripts: ["playground"],
      policy: this.framePolicy,
      main: `<main id="main" tabindex="-1">
<h1 class="unseen">Playground</h1>
<noscript><p class="note">The playground needs JavaScript; all other pages work without it.</p></noscript>
<p id="message" class="note" role="status" hidden></p>
<div id="playground" data-shown="drawing">
<div class="bar">
<label>Example <select id="examples"><option value="">Choose…</option>${options.join("")}</select></label>
<button type="button" id="copy-link">Copy link</button>
<span id="format"></span>
</div>
<div class="tabs" role="tablist" aria-label="View">
${[
  ["editor", "Pack"],
  ["findings", "Findings"],
  ["drawing", "Drawing"],
  ["simulator", "Simulator"],
]
  .map(
    ([view, label]) =>
      `<button type="button" role="tab" id="tab-${view}" data-view="${view}" aria-controls="pane-${view}">${label}</button>`,
  )
  .join("\n")}
</div>
<section id="pane-editor" aria-label="Pack"><div id="files" role="tablist" aria-label="Files" hidden></div><div id="editor"></div></section>
<section id="pane-findings" aria-labelledby="findings-heading">
<div class="heading"><h2 id="findings-heading">Findings</h2><p id="summary" role="status">Starting…</p></div>
<ol id="finding-list"></ol>
</section>
<section id="pane-drawing" role="tabpanel" aria-labelledby="tab-drawing"><p id="drawing-note" class="note" role="status" hidden></p><div id="drawing"></div></section>
<section id="pane-simulator" role="tabpanel" aria-labelledby="tab-simulator" tabindex="0"><div id="simulator"></div></section>
</div>
</main>`,
    };
  }
}

/** Where a file of the repository is on the site. */
function placeOf(path) {
  if (path === "docs/rules.md") return "rules/index.html";
  if (path.startsWith("docs/rules/")) return path.replace(/^docs\/(.*)\.md$/, "$1.html");
  return `guides/${posix.basename(path, ".md").toLowerCase()}.html`;
}

/** What a newcomer reads first; all others follow by name, and the files about the project come last. */
const firstGuides = [
  "README.md",
  "docs/promptpack.md",
  "docs/install.md",
  "docs/sources.md",
  "docs/command-line.md",
  "docs/configuration.md",
];

/** The changelog and its like, which stand at the root of the repository. */
const isAboutProject = (path) => !path.includes("/") && path !== "README.md";

function compareGuides(a, b) {
  const rank = (path) => {
    const index = firstGuides.indexOf(path);
    return index >= 0 ? index : firstGuides.length + Number(isAboutProject(path));
  };
  return rank(a) - rank(b) || (a < b ? -1 : 1);
}

function card(address, name, about) {
  return `<li><a href="${address}"><b>${escapeHtml(name)}</b><span>${escapeHtml(about)}</span></a></li>`;
}

function sideLink(address, name, isCurrent) {
  return `<li><a href="${address}"${isCurrent ? ' aria-current="page"' : ""}>${name}</a></li>`;
}

function slug(name) {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9\s-]/g, "")
    .replaceAll(" ", "-");
}

function groupSummary({ rules }) {
  const count = rules.length === 1 ? "1 rule" : `${rules.length} rules`;
  const shown = rules.slice(0, 3).map(({ id }) => id);
  return `${count}: ${shown.join(", ")}${rules.length > shown.length ? " …" : ""}`;
}

function ruleRow({ id, severity, fix = "", since = "", summary }) {
  return `<tr><td><a href="${id}.html">${id}</a></td><td><span class="badge ${severity}">${severity}</span></td><td>${fix}</td><td>${since.replace(/\.0$/, "")}</td><td>${renderLine(summary)}</td></tr>`;
}

function ruleFacts({ severity, fix, since, source }) {
  const facts = [
    ["Severity", `<span class="badge ${severity}">${severity}</span>`],
    ["Fix", fix],
    ["Since", since?.replace(/\.0$/, "")],
    ["Source", escapeHtml(source)],
  ];
  return facts
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`)
    .join("");
}

function tableOfContents(headings) {
  const items = headings.filter(({ level }) => level === 2 || level === 3);
  if (items.length < 2) return "";
  const links = items.map(
    ({ level, id, text }) => `<li class="level-${level}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  );
  return `<nav class="toc" aria-label="On this page"><h2>On this page</h2><ul>${links.join("\n")}</ul></nav>`;
}

/** What the search knows of a page: its opening, and each of its sections. */
export function searchEntries({ path, text, headings, name }) {
  if (text === undefined) return [];
  const [opening, ...sections] = text.split(/(?=<h[2-6] )/);
  const pageTitle = name ?? headings[0]?.text ?? path;
  const entry = (html, heading, anchor) => {
    const plain = textOf(
      html.replace(/<h\d[^>]*>[^]*?<\/h\d>|<pre[^>]*>[^]*?<\/pre>|<a class="try"[^]*?<\/a>/g, " "),
    );
    return {
      id: path + anchor,
      title: pageTitle,
      heading,
      text: plain,
      about: plain.length > 110 ? `${plain.slice(0, 110).replace(/\s\S*$/, "")} …` : plain,
      address: path + anchor,
    };
  };
  return [
    entry(opening, "", ""),
    ...sections.map((html) => {
      const id = /id="([^"]*)"/.exec(html)?.[1] ?? "";
      return entry(html, headings.find((heading) => heading.id === id)?.text ?? "", `#${id}`);
    }),
  ].filter(({ text: plain, heading }) => plain !== "" || heading === "");
}
