import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { yaml } from "@codemirror/lang-yaml";
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { detectFormat, type Format } from "../../../src/document/file-format.js";
import { joinFiles, type NamedText } from "../files.js";
import type { FindingView } from "../worker/protocol.js";
import { element } from "../../../src/drawing/page/elements.js";
import { escapeInvisible } from "../../../src/text/escape.js";

/** The colours are custom properties, which follow the theme of the page. */
const highlighting = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--code-key)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: "var(--code-value)" },
  { tag: [tags.comment, tags.lineComment], color: "var(--code-comment)", fontStyle: "italic" },
  { tag: [tags.labelName, tags.typeName, tags.meta], color: "var(--code-value)" },
  { tag: [tags.punctuation, tags.separator, tags.brace, tags.squareBracket], color: "var(--muted)" },
]);

const underline = (color: string): Record<string, string> => ({
  backgroundImage: "none",
  textDecoration: `underline wavy var(${color})`,
  textDecorationSkipInk: "none",
  textUnderlineOffset: "3px",
});

const theme = EditorView.theme({
  "&": { height: "100%", fontSize: "13.5px", color: "var(--text)", backgroundColor: "var(--bg)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6", overflow: "auto" },
  ".cm-content": { caretColor: "var(--text)", padding: "8px 0" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--bg)", color: "var(--muted)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--active-line)" },
  ".cm-activeLineGutter": { color: "var(--text)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--selection)",
  },
  ".cm-selectionMatch": { backgroundColor: "var(--match)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--match)" },
  ".cm-foldPlaceholder": {
    backgroundColor: "var(--panel)",
    border: "1px solid var(--line)",
    color: "var(--muted)",
  },
  ".cm-specialChar": { color: "var(--error)" },
  ".cm-panels": { backgroundColor: "var(--panel)", color: "var(--text)", borderColor: "var(--line)" },
  ".cm-textfield, .cm-button": {
    backgroundColor: "var(--bg)",
    backgroundImage: "none",
    border: "1px solid var(--line)",
    borderRadius: "6px",
    color: "var(--text)",
  },
  ".cm-searchMatch": { backgroundColor: "var(--match)" },
  ".cm-tooltip": {
    backgroundColor: "var(--panel)",
    border: "1px solid var(--line)",
    borderRadius: "8px",
    boxShadow: "var(--shadow)",
    color: "var(--text)",
    maxWidth: "min(520px, 90vw)",
    overflow: "hidden",
  },
  ".cm-diagnostic": { padding: "8px 12px", whiteSpace: "normal", font: "13.5px/1.5 var(--sans)" },
  ".cm-diagnostic-error": { borderLeft: "4px solid var(--error)" },
  ".cm-diagnostic-warning": { borderLeft: "4px solid var(--warning)" },
  ".cm-diagnostic-info": { borderLeft: "4px solid var(--info)" },
  ".cm-diagnostic a": { color: "var(--accent)" },
  ".cm-diagnosticAction": {
    backgroundColor: "var(--accent)",
    color: "var(--on-accent)",
    borderRadius: "6px",
    padding: "3px 9px",
  },
  ".cm-lintRange-error": underline("--error"),
  ".cm-lintRange-warning": underline("--warning"),
  ".cm-lintRange-info": underline("--info"),
  ".cm-lintRange-active": { backgroundColor: "var(--match)" },
});

const languages = { json: json(), yaml: yaml() };

/** A file that the editor holds; its state is outdated while it is shown. */
interface OpenFile {
  readonly name: string;
  state: EditorState;
  format: Format;
}

/** The text of the pack, or the files of a project, with their findings. */
export class Editor {
  private readonly view: EditorView;
  private readonly language = new Compartment();
  private files: readonly OpenFile[];
  private shown: OpenFile;
  private findings: readonly FindingView[] = [];

  /** In a shadow tree, CodeMirror uses style sheets that the content security policy allows. */
  constructor(
    host: HTMLElement,
    private readonly onChange: () => void,
  ) {
    const root = host.attachShadow({ mode: "open" });
    this.shown = this.newFile({ name: "", text: "" });
    this.files = [this.shown];
    this.view = new EditorView({ root, parent: root, state: this.shown.state });
  }

  /** Of all files, without those that are empty. */
  get text(): string {
    const texts = this.files.map((file) => ({ name: file.name, text: this.stateOf(file).doc.toString() }));
    return joinFiles(texts.filter(({ text }, index) => index === 0 || text !== ""));
  }

  get format(): Format {
    return this.shown.format;
  }

  get names(): readonly string[] {
    return this.files.map(({ name }) => name);
  }

  get shownName(): string {
    return this.shown.name;
  }

  /** Replaces all texts, and shows the first; undo brings the old one back. */
  load([first = { name: "", text: "" }, ...others]: readonly NamedText[]): void {
    this.open(this.files[0]?.name ?? "");
    this.findings = [];
    this.shown = { ...this.shown, name: first.name };
    this.files = [this.shown, ...others.map((file) => this.newFile(file))];
    const { text } = first;
    const { doc } = this.view.state;
    this.view.dispatch({
      changes: { from: 0, to: doc.length, insert: text },
      selection: { anchor: 0 },
      effects: EditorView.scrollIntoView(0),
    });
  }

  /** Shows another file. */
  open(name: string): void {
    const file = this.files.find((each) => each.name === name);
    if (file === undefined || file === this.shown) return;
    this.shown.state = this.view.state;
    this.shown = file;
    this.view.setState(file.state);
    this.showFindings(this.findings);
  }

  /** Has an empty file for each name that has none; of the other empty ones, only that which is shown stays. */
  keepEmpty(names: readonly string[]): void {
    const kept = this.files.filter(
      (file, index) =>
        index === 0 || file === this.shown || this.stateOf(file).doc.length > 0 || names.includes(file.name),
    );
    const added = names.filter((name) => kept.every((file) => file.name !== name));
    this.files = [...kept, ...added.map((name) => this.newFile({ name, text: "" }))];
  }

  showFindings(findings: readonly FindingView[]): void {
    this.findings = findings;
    const own = findings.filter(({ file }) => file === this.shown.name);
    const shown = own.map((finding): Diagnostic => {
      const { rule, severity, message, fix } = finding;
      return {
        ...this.placeOf(finding),
        severity,
        message,
        renderMessage: () => element("span", {}, `${message} `, ruleLink(rule)),
        ...(fix && { actions: [{ name: fixLabel(finding), apply: () => this.applyFix(finding) }] }),
      };
    });
    this.view.dispatch(setDiagnostics(this.view.state, shown));
  }

  goTo(finding: FindingView): void {
    this.open(finding.file);
    const { from, to } = this.placeOf(finding);
    this.view.dispatch({
      selection: { anchor: from, head: to },
      effects: EditorView.scrollIntoView(from, { y: "center" }),
    });
    this.view.focus();
  }

  applyFix({ fix, file: own }: FindingView): void {
    const edits = fix?.edits ?? [];
    for (const name of new Set(edits.map(({ file }) => file))) {
      const changes = edits
        .filter(({ file }) => file === name)
        .map(({ start, end, text }) => ({ from: start, to: end, insert: text }));
      this.open(name);
      this.view.dispatch({ changes, scrollIntoView: true });
    }
    this.open(own);
    this.view.focus();
  }

  private placeOf({ range }: FindingView): { readonly from: number; readonly to: number } {
    const { doc } = this.view.state;
    const offset = ({ line, column }: FindingView["range"]["start"]): number => {
      const { from, to } = doc.line(Math.min(line, doc.lines));
      return Math.min(from + column - 1, to);
    };
    return { from: offset(range.start), to: Math.max(offset(range.start), offset(range.end)) };
  }

  private stateOf(file: OpenFile): EditorState {
    return file === this.shown ? this.view.state : file.state;
  }

  private newFile({ name, text }: NamedText): OpenFile {
    const format = detectFormat(name, text);
    return { name, format, state: EditorState.create({ doc: text, extensions: this.extensions(format) }) };
  }

  private extensions(format: Format) {
    return [
      lineNumbers(),
      foldGutter(),
      lintGutter(),
      highlightSpecialChars(),
      history(),
      drawSelection(),
      bracketMatching(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      highlightSelectionMatches(),
      indentUnit.of("  "),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of(() => ({
        "aria-label": this.shown.name === "" ? "The pack, as YAML or JSON" : escapeInvisible(this.shown.name),
      })),
      syntaxHighlighting(highlighting),
      theme,
      this.language.of(languages[format]),
      // Tab is left alone: it leads the keyboard out of the editor.
      keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, ...foldKeymap, ...lintKeymap]),
      EditorView.updateListener.of(({ docChanged }) => {
        if (!docChanged) return;
        this.updateLanguage();
        this.onChange();
      }),
    ];
  }

  private updateLanguage(): void {
    const format = detectFormat(this.shown.name, this.view.state.sliceDoc(0, 1_000));
    if (format === this.shown.format) return;
    this.shown.format = format;
    this.view.dispatch({ effects: this.language.reconfigure(languages[format]) });
  }
}

export function ruleLink(rule: string): HTMLAnchorElement {
  return element("a", { href: `rules/${rule}.html`, class: "rule" }, rule);
}

/** Describes what the fix changes. */
export function fixLabel({ fix }: FindingView): string {
  const words = (fix?.description ?? "").replace(/\.$/, "");
  return fix?.unsafe === true ? `${words} (a guess)` : words;
}
