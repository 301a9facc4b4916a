import { escapeInvisible } from "../../../src/text/escape.js";
import { button, element } from "../../../src/drawing/page/elements.js";
import type { Answers, Move, RunView, SimulationInput, SimulationView } from "../worker/protocol.js";

type Ask = (input: SimulationInput) => Promise<SimulationView | undefined>;

/** A run that the reader steers. The worker takes all its moves again each time, so that it follows the pack. */
export class Simulator {
  private text = "";
  private agent: string | undefined;
  private moves: readonly Move[] = [];
  private answers: Answers = {};

  constructor(
    private readonly host: HTMLElement,
    private readonly ask: Ask,
  ) {}

  /** The pack has changed: the run goes as far as it still can. */
  update(text: string): Promise<void> {
    this.text = text;
    return this.refresh();
  }

  reset(): void {
    this.moves = [];
    this.answers = {};
  }

  private async refresh(): Promise<void> {
    const { text, agent, moves, answers } = this;
    const view = await this.ask({ text, agent, moves, answers });
    if (view === undefined) return;
    if ("missing" in view) {
      this.host.replaceChildren(element("p", "note", view.missing));
      return;
    }
    const dropped = moves.length - view.taken;
    this.moves = this.moves.slice(0, view.taken);
    if (agent !== undefined && !view.agents.includes(agent)) this.agent = undefined;
    const { activeElement } = document;
    const hadFocus = this.host.contains(activeElement);
    const name = activeElement instanceof HTMLElement ? activeElement.dataset["name"] : undefined;
    this.host.replaceChildren(...this.sections(view, dropped));
    if (hadFocus) this.focus(name);
  }

  /** Restores the focus, or moves it to the first event. */
  private focus(name: string | undefined): void {
    const named = [...this.host.querySelectorAll<HTMLElement>("[data-name]:enabled")];
    const next =
      named.find(({ dataset }) => dataset["name"] === name) ??
      this.host.querySelector<HTMLElement>(".events button") ??
      this.host.querySelector("h2");
    next?.focus();
  }

  private button(text: string, change: () => void, look: string, name?: string): HTMLButtonElement {
    const act = (): void => {
      change();
      void this.refresh();
    };
    const made = button(text, act, look);
    if (name !== undefined) made.dataset["name"] = name;
    return made;
  }

  private sections(view: RunView, dropped: number): readonly HTMLElement[] {
    const { ending, composition, prompt, history } = view;
    return [
      this.toolbar(view),
      ...(dropped > 0 ? [element("p", { class: "note", role: "status" }, droppedText(dropped))] : []),
      element(
        "div",
        "state",
        element("h2", { tabindex: "-1" }, view.state),
        ...view.about.map((text) => element("p", {}, text)),
      ),
      ...(composition === undefined ? [] : [this.compositionSection(composition)]),
      ...(ending === undefined
        ? [this.eventSection(view)]
        : [
            element(
              "p",
              { class: ending.isComplete ? "ending complete" : "ending failed", role: "status" },
              ending.text,
            ),
          ]),
      ...(prompt === undefined ? [] : [promptSection(prompt)]),
      ...(history.length === 0 ? [] : [this.historySection(history)]),
    ];
  }

  private toolbar({ agents }: RunView): HTMLElement {
    const goBack = (): void => {
      this.answers = this.moves.at(-1)?.answers ?? {};
      this.moves = this.moves.slice(0, -1);
    };
    const back = this.button("Back", goBack, "", "back");
    const restart = this.button("Restart", () => this.reset(), "", "restart");
    back.disabled = restart.disabled = this.moves.length === 0;
    return element(
      "div",
      { class: "tools", role: "toolbar", "aria-label": "Run" },
      back,
      restart,
      agents.length > 0 && this.startChoice(agents),
    );
  }

  /** Where the run starts: the entry, or the state of an agent. */
  private startChoice(agents: readonly string[]): HTMLElement {
    const option = (text: string, value: number): HTMLElement =>
      element("option", { value: String(value) }, text);
    const choice = element(
      "select",
      { "data-name": "start" },
      option("the entry", -1),
      ...agents.map((agent, index) => option(`the agent ${escapeInvisible(agent)}`, index)),
    );
    choice.value = String(this.agent === undefined ? -1 : agents.indexOf(this.agent));
    choice.addEventListener("change", () => {
      this.reset();
      this.agent = agents[Number(choice.value)];
      void this.refresh();
    });
    return element("label", {}, "Start at ", choice);
  }

  private eventSection({ events }: RunView): HTMLElement {
    if (events.length === 0) return section("Events", element("p", {}, "There is none that could be sent."));
    const send = (event: string): void => {
      this.moves = [...this.moves, { event, answers: this.answers }];
      this.answers = {};
    };
    const items = events.map(({ name, label, leadsTo }) =>
      element(
        "li",
        {},
        this.button(label, () => send(name), "event"),
        element("span", {}, leadsTo),
      ),
    );
    return section("Send an event", element("ul", "events", ...items));
  }

  private compositionSection({ questions, rows }: NonNullable<RunView["composition"]>): HTMLElement {
    const asked = questions.map(({ branch, text, isYes }) => {
      const choice = (label: string, value: boolean): HTMLButtonElement => {
        const answer = (): void => {
          this.answers = { ...this.answers, [branch]: value };
        };
        const button = this.button(label, answer, "small", `${label} ${branch}`);
        button.setAttribute("aria-pressed", String(isYes === value));
        return button;
      };
      return element("li", {}, element("span", {}, text), choice("Yes", true), choice("No", false));
    });
    const done = rows.flatMap(({ label, text }) => [element("dt", {}, label), element("dd", {}, text)]);
    return section("Composition", element("ul", "questions", ...asked), element("dl", {}, ...done));
  }

  private historySection(history: readonly string[]): HTMLElement {
    const goTo = (count: number): void => {
      this.moves = this.moves.slice(0, count);
      this.answers = {};
    };
    const items = history.map((text, index) =>
      element(
        "li",
        {},
        this.button(text, () => goTo(index + 1), "link", `step ${index}`),
      ),
    );
    return section("History", element("ol", "history", ...items));
  }
}

function promptSection({ name, text }: NonNullable<RunView["prompt"]>): HTMLElement {
  return section(`Prompt ${name}`, element("pre", {}, text));
}

function section(title: string, ...content: readonly HTMLElement[]): HTMLElement {
  return element("section", {}, element("h3", {}, title), ...content);
}

function droppedText(dropped: number): string {
  const events = dropped === 1 ? "the last event" : `the last ${dropped} events`;
  return `The pack changed, and ${events} of the run cannot happen any more.`;
}
