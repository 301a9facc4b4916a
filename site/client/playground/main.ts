import examples from "promptpack:examples";
import { find } from "../../../src/drawing/page/elements.js";
import { splitFiles } from "../files.js";
import type { FindingView } from "../worker/protocol.js";
import { Drawing } from "./drawing.js";
import { Editor } from "./editor.js";
import { Engine, TooSlow } from "./engine.js";
import { FileTabs } from "./file-tabs.js";
import { FindingList } from "./findings.js";
import { decodePack, encodePack, LinkError } from "./pack-link.js";
import { Simulator } from "./simulator.js";
import { Tabs } from "./tabs.js";

/** After the last key, in milliseconds. */
const delay = 250;

const engine = new Engine();
const page = find("#playground");
const message = find("#message");
const editor = new Editor(find("#editor"), () => schedule());
const findingList = new FindingList(find("#finding-list"), find("#summary"), {
  goTo: (finding: FindingView) => {
    tabs.show("editor");
    editor.goTo(finding);
    fileTabs.show(editor);
  },
  applyFix: (finding: FindingView) => {
    editor.applyFix(finding);
    fileTabs.show(editor);
  },
  proveFixes: async (number: number) => {
    const text = checked;
    if (text === undefined) return [];
    const fixes = await engine.ask("prove", { text, number }).catch(() => undefined);
    return text === checked ? (fixes ?? []) : [];
  },
});
const fileTabs = new FileTabs(find("#files"), find("#editor"), (name) => {
  editor.open(name);
  fileTabs.show(editor);
});
const drawing = new Drawing(find("#drawing"), find("#drawing-note"));
const simulator = new Simulator(find("#simulator"), (input) =>
  engine
    .ask("simulate", input)
    .catch((error: unknown) => ({ missing: failureText("The simulation", error) })),
);
const tabs = new Tabs(page, () => void updateSide());

let timer: ReturnType<typeof setTimeout> | undefined;
/** The text that was linted; undefined while it changes, or where linting failed. */
let checked: string | undefined;

function schedule(): void {
  clearTimeout(timer);
  checked = undefined;
  timer = setTimeout(() => void check(), delay);
}

async function check(): Promise<void> {
  clearTimeout(timer);
  const { text } = editor;
  page.setAttribute("aria-busy", "true");
  try {
    const view = await engine.ask("lint", text);
    // Undefined: newer text is waiting.
    if (view === undefined || text !== editor.text) return;
    checked = text;
    editor.keepEmpty(view.missing);
    const format = editor.names.length > 1 ? "Project" : editor.format.toUpperCase();
    find("#format").textContent = `${format}, PromptPack ${view.specVersion}`;
    findingList.show(view);
    editor.showFindings(view.findings);
    fileTabs.show(editor, view);
    await updateSide();
  } catch (error) {
    editor.showFindings([]);
    fileTabs.show(editor, { findings: [], missing: [] });
    findingList.showFailure(failureText("Linting", error));
  }
  page.removeAttribute("aria-busy");
}

/** Draws or simulates the pack, if that can be seen. */
async function updateSide(): Promise<void> {
  const text = checked;
  if (text === undefined) return;
  if (tabs.isShown("simulator")) await simulator.update(text);
  if (!tabs.isShown("drawing")) return;
  try {
    const view = await engine.ask("draw", text);
    if (view !== undefined && text === checked) drawing.show(view);
  } catch (error) {
    drawing.showNote(failureText("Drawing", error));
  }
}

function failureText(what: string, error: unknown): string {
  if (error instanceof TooSlow)
    return `${what} was ${error.message}: the pack is too large or too intricate for this page. The command line has no such limit.`;
  return `${what} failed: ${error instanceof Error ? error.message : String(error)}`;
}

function say(sentence: string): void {
  message.textContent = sentence;
  message.hidden = sentence === "";
}

function open(text: string): void {
  drawing.clear();
  simulator.reset();
  editor.load(splitFiles(text));
  fileTabs.show(editor, { findings: [], missing: [] });
  void check();
}

/** `#example=codegen` or `#pack=…`; without either, the first example. */
async function openAddress(): Promise<void> {
  const [kind, value = ""] = location.hash.slice(1).split("=");
  const example = examples.find(({ name }) => kind === "example" && name === value) ?? examples[0];
  say("");
  let text = example?.text ?? "";
  try {
    if (kind === "pack") text = await decodePack(value);
  } catch (error) {
    if (!(error instanceof LinkError)) throw error;
    say(`${error.message} An example is shown instead.`);
  }
  open(text);
}

const choice = find<HTMLSelectElement>("#examples");
choice.addEventListener("change", () => {
  const example = examples.find(({ name }) => name === choice.value);
  choice.value = "";
  if (example === undefined) return;
  history.replaceState(null, "", `#example=${example.name}`);
  say("");
  open(example.text);
});

find("#copy-link").addEventListener("click", () => void copyLink());

async function copyLink(): Promise<void> {
  try {
    history.replaceState(null, "", `#pack=${await encodePack(editor.text)}`);
  } catch (error) {
    if (!(error instanceof LinkError)) throw error;
    say(error.message);
    return;
  }
  const held = editor.names.length > 1 ? "all files" : "the whole pack";
  try {
    await navigator.clipboard.writeText(location.href);
    say(`The link is copied. It holds ${held}: nothing was sent anywhere.`);
  } catch {
    say(`The link is in the address bar. It holds ${held}: nothing was sent anywhere.`);
  }
}

addEventListener("hashchange", () => void openAddress());
void openAddress();
