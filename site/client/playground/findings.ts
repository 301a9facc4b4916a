import { severities } from "../../../src/diagnostic.js";
import { pluralize } from "../../../src/text/wording.js";
import { createButton, createElement } from "../create-element.js";
import type { FindingView, LintView } from "../worker/protocol.js";
import { fixLabel, ruleLink } from "./editor.js";

export interface FindingActions {
  goTo(finding: FindingView): void;
  applyFix(finding: FindingView): void;
}

/** The list below the editor. */
export class FindingList {
  constructor(
    private readonly list: HTMLElement,
    private readonly status: HTMLElement,
    private readonly editor: FindingActions,
  ) {}

  show({ findings, counts }: LintView): void {
    this.list.replaceChildren(...findings.map((finding) => this.item(finding)));
    const total = severities.reduce((sum, severity) => sum + counts[severity], 0);
    const left = total - findings.length;
    if (left > 0)
      this.list.append(createElement("li", { text: `and ${left} more`, attributes: { class: "more" } }));
    this.status.textContent = summaryOf(counts);
  }

  /** Instead of findings, one sentence. */
  showFailure(sentence: string): void {
    this.list.replaceChildren(createElement("li", { text: sentence, attributes: { class: "failure" } }));
    this.status.textContent = "Not checked";
  }

  private item(finding: FindingView): HTMLLIElement {
    const { severity, rule, message, range, run, fix } = finding;
    const { line, column } = range.start;
    return createElement(
      "li",
      { attributes: { class: severity } },
      createElement("span", { text: severity, attributes: { class: "severity" } }),
      createElement(
        "div",
        {},
        createButton(message, () => this.editor.goTo(finding), "message"),
        run.length > 0 && createElement("pre", { text: run.join("\n") }),
        createElement(
          "p",
          {},
          createElement("span", { text: `line ${line}, column ${column}` }),
          ruleLink(rule),
          fix && createButton(fixLabel(finding), () => this.editor.applyFix(finding), "small"),
        ),
      ),
    );
  }
}

/** `1 error, 2 infos`. */
function summaryOf(counts: LintView["counts"]): string {
  const parts = severities.filter((severity) => counts[severity] > 0);
  if (parts.length === 0) return "No findings";
  return parts.map((severity) => pluralize(counts[severity], severity)).join(", ");
}
