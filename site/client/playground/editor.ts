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
import type { FindingView } from "../worker/protocol.js";
import { element } from "../../../src/drawing/page/elements.js";

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

/** The text of the pack, with its findings. */
export class Editor {
  private readonly view: EditorView;
  private readonly language = new Compartment();
  private shownFormat: Format = "yaml";

  /** In a shadow tree, CodeMirror uses style sheets that the content security policy allows. */
  constructor(
    host: HTMLElement,
    private readonly onChange: () => void,
  ) {
    const root = host.attachShadow({ mode: "open" });
    this.view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({ extensions: this.extensions() }),
    });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  get format(): Format {
    return this.shownFormat;
  }

  /** Replaces the text; undo brings the old one back. */
  load(text: string): void {
    const { doc } = this.view.state;
    this.view.dispatch({
      changes: { from: 0, to: doc.length, insert: text },
      selection: { anchor: 0 },
      effects: EditorView.scrollIntoView(0),
    });
  }

  showFindings(findings: readonly FindingView[]): void {
    const shown = findings.map((finding): Diagnostic => {
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
    const { from, to } = this.placeOf(finding);
    this.view.dispatch({
      selection: { anchor: from, head: to },
      effects: EditorView.scrollIntoView(from, { y: "center" }),
    });
    this.view.focus();
  }

  applyFix({ fix }: FindingView): void {
    const changes = (fix?.edits ?? []).map(({ start, end, text }) => ({
      from: start,
      to: end,
      insert: text,
    }));
    this.view.dispatch({ changes, scrollIntoView: true });
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

  private extensions() {
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
      EditorView.contentAttributes.of({ "aria-label": "The pack, as YAML or JSON" }),
      syntaxHighlighting(highlighting),
      theme,
      this.language.of(languages[this.shownFormat]),
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
    const format = detectFormat(undefined, this.view.state.sliceDoc(0, 1_000));
    if (format === this.shownFormat) return;
    this.shownFormat = format;
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
