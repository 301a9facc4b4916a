import { severities, type Severity } from "../../diagnostic.js";
import { capitalize, pluralize } from "../../text/wording.js";
import type { PageData } from "../page-data.js";
import { button, type Child, element, find } from "./elements.js";
import { openRun } from "./player.js";
import { data, mark, type PageState, panel, stateOf } from "./scene.js";
import { reveal } from "./view.js";

type Finding = PageData["findings"][number];
type Step = PageData["compositions"][number]["steps"][number];
type Children = readonly Child[];

/** None if the drawing uses no signs. Kept, because the panel removes it while it shows a state. */
const legend = document.querySelector("#legend") ?? undefined;
const noun = `${data.noun}s`;
const ofSeverity = (severity: Severity) => data.findings.filter((finding) => finding.severity === severity);
const bySeverity = severities.flatMap(ofSeverity);

const keys = new Map<Finding, string>();
const byKey = new Map<string | null, Finding>();
for (const [index, finding] of data.findings.entries()) {
  const [place, number] = [`${finding.rule}:${finding.line}`, String(index + 1)];
  const key = byKey.has(place) ? number : place;
  keys.set(finding, key);
  byKey.set(number, finding).set(key, finding);
}

function statesOf({ nodes }: Finding): readonly PageState[] {
  return nodes.slice(0, 4).flatMap((id) => stateOf(id) ?? []);
}

/** Where to start in a drawing that is too large to read as a whole. */
export function initialState(): string | undefined {
  return (data.states.find(({ starts }) => starts.length > 0) ?? bySeverity.flatMap(statesOf)[0])?.id;
}

const linkButton = (text: string, act: () => void): Child => button(text, act, "link");
const aside = (...content: Children): Child => element("span", "line", ...content);
const tag = (text: string): Child => element("span", "tag", text);
const muted = (text: string): Child => element("p", "muted", text);
const more = (count: number): Child => count > 0 && muted(`and ${count} more`);
const row = (...content: Children): Child => element("li", {}, ...content);
const rows = (items: Children): Child => element("ul", "rows", ...items);
const heading = (text: string): Child => element("h2", { tabindex: "-1" }, text);

function section(title: string, content: Child, name?: string): Children {
  return [element("h3", {}, title, name && element("span", "given", ` ${name}`)), content];
}

function fill(...content: readonly (Child | Children)[]): void {
  panel.replaceChildren(...element("div", {}, ...content.flat()).childNodes);
  panel.scrollTop = 0;
}

export function focusHeading(): void {
  panel.querySelector("h2")?.focus({ preventScroll: true });
}

/** A link to a part of the page. A frame without an address of its own could not follow it, so a click acts. */
function lineLink({ line, isOld }: Finding | PageState, hash: string, act: () => void): Child {
  const click = (event: Event): void => {
    event.preventDefault();
    act();
  };
  return element("a", { href: `#${hash}`, click }, `${isOld ? "old version, line" : "line"} ${line}`);
}

function card(finding: Finding): Child {
  const { severity, rule, docs, message, run: index = -1 } = finding;
  const run = data.runs[index];
  const click = ({ target }: Event): void => {
    if (target instanceof Element && !target.closest("a,button")) chooseFinding(finding);
  };
  const page = docs && element("a", { href: docs, target: "_blank", rel: "noreferrer" }, rule);
  const link = lineLink(finding, findingHash(finding), () => chooseFinding(finding));
  const name = element("span", {}, element("span", "severity", severity), " ", page ?? rule);
  const states = statesOf(finding).map((state) => button(state.name, () => choose(state.id), "small"));
  const play = run && button("Play the run", () => openRun(run), "small main");
  return element(
    "li",
    { class: `card ${severity}`, "data-key": keys.get(finding) ?? "", click },
    element("div", "head", name, aside(link)),
    element("p", {}, message),
    element("div", "actions", ...states, play),
  );
}

function filter(severity: Severity): readonly HTMLElement[] {
  const { length: count } = ofSeverity(severity);
  const press = (isShown: boolean): void => toggle.setAttribute("aria-pressed", String(isShown));
  const act = (): void => press(!panel.classList.toggle(`no-${severity}`));
  const toggle = button(pluralize(count, severity), act, "small");
  press(!panel.classList.contains(`no-${severity}`));
  return count === 0 ? [] : [toggle];
}

function showAll(): void {
  mark("chosen", []);
  const filters = severities.flatMap(filter);
  const runs = data.runs.map((run) => {
    const length = pluralize(run.steps.length + run.cut, "step");
    return row(
      linkButton(run.title, () => openRun(run)),
      aside(length),
    );
  });
  const help = "Tab and Enter open a state, / searches, Esc goes back; arrows, + − and 0 move the drawing.";
  fill(
    !data.plain && heading(data.findings.length === 0 ? `No ${noun}` : capitalize(noun)),
    data.note !== undefined && muted(data.note),
    filters.length > 1 &&
      element("div", { class: "filters", role: "group", "aria-label": "Show" }, ...filters),
    element("ul", "all", ...bySeverity.map(card)),
    more(data.unlisted),
    legend,
    runs.length > 0 && section("Runs", rows(runs)),
    section("Keys", muted(help)),
  );
}

export function overview(): void {
  showAll();
  setHash("");
}

/** `items` has the names of the steps in the list, and later the first item of each. */
function stepItem(step: Step, items: Map<string, HTMLElement | undefined>): HTMLElement {
  const target = (word: string, name: string | undefined): Child => {
    const focus = (): void => items.get(name ?? "")?.focus();
    return (
      name !== undefined && element("div", {}, `${word} → `, items.has(name) ? linkButton(name, focus) : name)
    );
  };
  const words = (text: string | undefined): Child => text && element("div", "muted", text);
  const { name, kind, result, line, about, after, branches } = step;
  const inside = branches.map((branch) => stepItem(branch, items));
  return element(
    "li",
    { tabindex: "-1" },
    element("div", "step", element("b", {}, name), tag(kind), result && tag("result"), aside(`line ${line}`)),
    words(about),
    words(after && `after ${after}`),
    target("then", step.then),
    target("else", step.else),
    inside.length > 0 && element("ul", "inside", ...inside),
  );
}

function compositionSection({ id, name }: NonNullable<PageState["composition"]>): Children {
  const composition = data.compositions.find((each) => each.id === id);
  if (composition === undefined)
    return section("Composition", element("p", {}, "No composition has this name."), name);
  const items = new Map<string, HTMLElement | undefined>();
  for (const step of composition.steps) items.set(step.name, undefined);
  const list = composition.steps.map((step) => {
    const item = stepItem(step, items);
    items.set(step.name, items.get(step.name) ?? item);
    return item;
  });
  return [...section("Composition", element("ol", {}, ...list), name), more(composition.more)];
}

export function choose(id: string): void {
  const state = stateOf(id);
  if (state === undefined) return;
  const hash = `state=${encodeURIComponent(state.name)}`;
  mark("chosen", [id]);
  setHash(hash);
  showPanel(true);
  reveal(id);
  const { prompt, composition, events = [], artifacts = [] } = state;
  const words = [...state.starts, state.ends && "ends the run", state.decider, state.guard];
  const tags = words.flatMap((text) => (text ? tag(text) : []));
  const findings = state.findings.flatMap((index) => data.findings[index] ?? []).map(card);
  const template = prompt?.known ? (prompt.text || "(no template)") + (prompt.cut ? "\n…" : "") : undefined;
  const eventRows = events.map(({ event, to, id: target = "", line }) => {
    const name = stateOf(target) ? linkButton(to, () => choose(target)) : to;
    return row(element("span", {}, `${event} → `, name), aside(`line ${line}`));
  });
  const artifactRows = artifacts.map(({ name, about }) => row(name, aside(about)));
  fill(
    linkButton(data.plain ? "← Overview" : `← All ${noun}`, overview),
    heading(state.name),
    element(
      "p",
      "line",
      lineLink(state, hash, () => choose(id)),
    ),
    tags.length > 0 && element("p", "tags", ...tags),
    findings.length > 0 && section(capitalize(noun), element("ul", {}, ...findings)),
    prompt && section("Prompt", element("pre", {}, template ?? "No prompt has this name."), prompt.task),
    composition && compositionSection(composition),
    eventRows.length > 0 && section("Events", rows(eventRows)),
    artifactRows.length > 0 && section("Artifacts", rows(artifactRows)),
  );
}

function chooseFinding(finding: Finding): void {
  const cards = (): readonly HTMLElement[] => [...panel.querySelectorAll<HTMLElement>(".card")];
  const isOwn = ({ dataset }: HTMLElement): boolean => dataset["key"] === keys.get(finding);
  const hidden = `no-${finding.severity}`;
  if (!cards().some(isOwn) || panel.classList.contains(hidden)) {
    panel.classList.remove(hidden);
    showAll();
  }
  for (const item of cards()) item.classList.toggle("chosen", isOwn(item));
  const ids = statesOf(finding).map(({ id }) => id);
  mark("chosen", ids);
  setHash(findingHash(finding));
  showPanel(true);
  cards().find(isOwn)?.scrollIntoView({ block: "nearest" });
  if (ids[0] !== undefined) reveal(ids[0]);
}

function findingHash(finding: Finding): string {
  return `finding=${keys.get(finding)}`;
}

/** Keeps the selection in the address, so that it can be linked to. */
let shownHash = "";

function setHash(hash: string): void {
  if (hash !== shownHash) location.hash = shownHash = hash;
}

export function followHash(): void {
  const hash = location.hash.slice(1);
  if (hash === shownHash) return;
  const wanted = new URLSearchParams(hash);
  const state = data.states.find(({ name }) => name === wanted.get("state"));
  const finding = byKey.get(wanted.get("finding"));
  shownHash = hash;
  if (state) choose(state.id);
  else if (finding) chooseFinding(finding);
  else overview();
}

export function showPanel(isShown: boolean): void {
  panel.hidden = !isShown;
  find("#toggle").setAttribute("aria-expanded", String(isShown));
}
