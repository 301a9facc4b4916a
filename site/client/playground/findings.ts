import { severities } from "../../../src/diagnostic.js";
import { escapeInvisible } from "../../../src/text/escape.js";
import { pluralize } from "../../../src/text/wording.js";
import { button, element } from "../../../src/drawing/page/elements.js";
import type { FindingView, FixView, LintView } from "../worker/protocol.js";
import { fixLabel, ruleLink } from "./editor.js";

export interface FindingActions {
  goTo(finding: FindingView): void;
  applyFix(finding: FindingView): void;
  /** The edits that would remove the finding with this number in the list. */
  proveFixes(number: number): Promise<readonly FixView[]>;
}

/** The list below the editor. */
export class FindingList {
  constructor(
    private readonly list: HTMLElement,
    private readonly status: HTMLElement,
    private readonly editor: FindingActions,
  ) {}

  show({ findings, counts }: LintView): void {
    this.list.replaceChildren(...findings.map((finding, number) => this.item(finding, number)));
    const total = severities.reduce((sum, severity) => sum + counts[severity], 0);
    const left = total - findings.length;
    if (left > 0) this.list.append(element("li", "more", `and ${left} more`));
    this.status.textContent = summaryOf(counts);
  }

  /** Instead of findings, one sentence. */
  showFailure(sentence: string): void {
    this.list.replaceChildren(element("li", "failure", sentence));
    this.status.textContent = "Not checked";
  }

  private item(finding: FindingView, number: number): HTMLLIElement {
    const { severity, rule, message, file, range, run, fix, isProvable } = finding;
    const { line, column } = range.start;
    return element(
      "li",
      { class: severity },
      element("span", "severity", severity),
      element(
        "div",
        {},
        button(message, () => this.editor.goTo(finding), "message"),
        run.length > 0 && element("pre", {}, run.join("\n")),
        element(
          "p",
          {},
          file !== "" && element("span", "file", escapeInvisible(file)),
          element("span", {}, `line ${line}, column ${column}`),
          ruleLink(rule),
          fix && button(fixLabel(finding), () => this.editor.applyFix(finding), "small"),
          isProvable && this.prover(finding, number),
        ),
      ),
    );
  }

  /** Trying edits takes longer than linting: only for a finding that somebody wants to fix. */
  private prover(finding: FindingView, number: number): HTMLButtonElement {
    const prover = button("Find fixes", () => void show(), "small");
    const show = async (): Promise<void> => {
      prover.disabled = true;
      const fixes = await this.editor.proveFixes(number);
      const buttons = fixes.map((fix) => {
        const label = fix.description.replace(/\.$/, "");
        return button(label, () => this.editor.applyFix({ ...finding, fix }), "small");
      });
      prover.replaceWith(...(buttons.length === 0 ? ["No small edit was found."] : buttons));
      // Where the button had the focus, nothing has it now.
      if (document.activeElement === document.body) buttons[0]?.focus();
    };
    return prover;
  }
}

/** `1 error, 2 infos`. */
function summaryOf(counts: LintView["counts"]): string {
  const parts = severities.filter((severity) => counts[severity] > 0);
  if (parts.length === 0) return "No findings";
  return parts.map((severity) => pluralize(counts[severity], severity)).join(", ");
}
