import { visibleLine } from "../../src/base/text/visibleText.ts";
import type { CombinedProblem, ComparedAnswers } from "../../src/protocol/candidateMessages.ts";
import type { AgentTurn } from "../../src/turns/turn.ts";
import { button, quietButton } from "../controls.ts";
import { h, icon } from "../dom.ts";
import { t } from "../l10n.ts";
import type { PanelContext } from "../panelContext.ts";
import { type Choices, firstChoices, proposes, rowKey, rowVersions, takeAll } from "./choices.ts";
import {
  combinedProblemText,
  leftOutText,
  leftText,
  rowTitle,
  versionText,
  wholeText,
} from "./messages.ts";

/** Lets the user choose, part by part, from the answers of several models. */
export class ChooseView {
  readonly element = h("details", { class: "choose" });
  private readonly turn: AgentTurn;
  private readonly context: PanelContext;
  private readonly form = h("form", { attributes: { "aria-label": t("Choose what to take") } });
  private readonly problems = h("div", { class: "choose-problems", attributes: { role: "alert" } });
  private readonly propose = button({
    label: t("Propose the chosen"),
    icon: "apply",
    appearance: "primary",
    onClick: () => this.submit(),
  });
  private files: readonly ComparedAnswers[] = [];
  private inputs: { readonly key: string; readonly input: HTMLInputElement }[] = [];
  private isAsked = false;
  private isProposing = false;

  constructor(turn: AgentTurn, context: PanelContext) {
    this.turn = turn;
    this.context = context;
    const summary = h("summary", {}, icon("chevron"), h("span", {}, t("Choose what to take")));
    const waits = h("p", { class: "choose-waits" }, icon("spinner"), t("Comparing the answers…"));
    this.form.append(waits);
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.element.append(summary, this.form);
    this.element.addEventListener("toggle", () => this.ask());
    // Once something was proposed, the user rather reviews that.
    this.element.open = turn.edits.size === 0;
    this.ask();
  }

  /** What the models make of the files. */
  compared(files: readonly ComparedAnswers[]): void {
    if (this.inputs.length > 0) return;
    this.files = files;
    const { candidates } = this.turn;
    const kept = this.context.formKept(this.formKey);
    const notes = candidates.map(leftText).filter((text) => text !== "");
    this.form.replaceChildren(
      h("p", { class: "choose-hint" }, this.hint()),
      this.takeButtons(),
      ...files.map((file, at) => this.fileView(file, at)),
      ...notes.map((text) => h("p", { class: "choose-note" }, icon("info"), text)),
      this.problems,
      h("div", { class: "buttons" }, this.propose),
    );
    this.choose(kept ? choicesOf(kept) : firstChoices(files, candidates));
    this.form.addEventListener("change", () => this.keep());
  }

  /** What was chosen is proposed, but for these. */
  combined(problems: readonly CombinedProblem[]): void {
    this.isProposing = false;
    this.show(problems);
    if (problems.length > 0) return;
    this.context.announce(t("Proposed. Review the changes below."));
    this.element.open = false;
    this.element.querySelector("summary")?.focus();
  }

  private get formKey(): string {
    return `choose ${this.turn.id}`;
  }

  private get models(): readonly string[] {
    return this.turn.candidates.map(({ model }) => visibleLine(model));
  }

  private ask(): void {
    if (this.isAsked || !this.element.open) return;
    this.isAsked = true;
    this.context.post({ type: "compare-answers", turnId: this.turn.id });
  }

  private hint(): string {
    return this.turn.candidates.filter(proposes).length > 1
      ? t("Take all of one model, then change single parts. Nothing is proposed before you say so.")
      : t("Only one model proposes changes. Nothing is proposed before you say so.");
  }

  private takeButtons(): HTMLElement {
    const buttons = this.turn.candidates.flatMap((candidate, at) =>
      proposes(candidate)
        ? [
            button({
              label: t("Take all of {model}", { model: visibleLine(candidate.model) }),
              onClick: () => this.take(at),
            }),
          ]
        : [],
    );
    const nothing = button({ label: t("Take nothing"), onClick: () => this.take(null) });
    return h("div", { class: "buttons" }, ...buttons, nothing);
  }

  private take(candidate: number | null): void {
    this.choose(candidate === null ? new Map() : takeAll(this.files, candidate));
    this.keep();
    this.context.announce(
      candidate === null
        ? t("Nothing is taken.")
        : t("All of {model} is taken.", { model: this.models[candidate] ?? "" }),
    );
  }

  private fileView(file: ComparedAnswers, number: number): HTMLElement {
    const { path, rows } = file;
    const name = visibleLine(path);
    const facts = [wholeText(file), leftOutText(file, this.models)].filter((text) => text !== "");
    const compare = this.turn.candidates.flatMap(({ end }, at) =>
      end?.files.some((each) => each.path === path) ? [this.compareButton(path, at)] : [],
    );
    return h(
      "section",
      { class: "choose-file", attributes: { "aria-label": name } },
      h(
        "div",
        { class: "choose-name" },
        h("strong", {}, name),
        h("span", {}, t("Compare:"), ...compare),
      ),
      ...facts.map((text) => h("p", { class: "choose-note" }, icon("info"), text)),
      ...rows.map((row, at) => this.rowView(path, row, `${number}-${at}`)),
    );
  }

  private compareButton(path: string, candidate: number): HTMLElement {
    const model = this.models[candidate] ?? "";
    const element = quietButton({
      label: model,
      icon: "diff",
      onClick: () =>
        this.context.post({ type: "compare-file", turnId: this.turn.id, path, candidate }),
    });
    const label = t("Compare {file} with the version of {model}", { file: path, model });
    element.setAttribute("aria-label", label);
    element.title = label;
    return element;
  }

  private rowView(path: string, row: ComparedAnswers["rows"][number], number: string): HTMLElement {
    const key = rowKey(path, row);
    const { candidates } = this.turn;
    const options = rowVersions(row).map((found) => {
      // Who proposes nothing at all does not say that this stays.
      const named = found.candidates.filter((at) => proposes(candidates[at]));
      const version = { ...found, candidates: named };
      const value = String(version.candidate ?? "");
      const name = `choose ${this.turn.id} ${number}`;
      const input = h("input", { attributes: { type: "radio", name, value } });
      this.inputs.push({ key, input });
      return h("label", {}, input, h("span", {}, versionText(version, this.models)));
    });
    const isCode = row.part === "element" || row.part === "own";
    const legend = h("legend", isCode ? { class: "choose-code" } : {}, rowTitle(row));
    return h("fieldset", {}, legend, ...options);
  }

  private choose(choices: Choices): void {
    for (const { key, input } of this.inputs)
      input.checked = input.value === String(choices.get(key) ?? "");
    this.show([]);
  }

  private get chosen(): readonly (readonly [key: string, candidate: number])[] {
    return this.inputs.flatMap(({ key, input }) =>
      input.checked && input.value !== "" ? [[key, Number(input.value)] as const] : [],
    );
  }

  private keep(): void {
    this.show([]);
    this.context.keepForm(
      this.formKey,
      this.chosen.flatMap(([key, at]) => [key, String(at)]),
    );
  }

  private submit(): void {
    if (this.isProposing) return;
    const { chosen } = this;
    const problem = this.context.busy() ? "busy" : chosen.length === 0 ? "nothing" : null;
    if (problem !== null) {
      this.show([{ code: problem, path: "", detail: "" }]);
      return;
    }
    this.isProposing = true;
    this.show([]);
    const keys = new Map(
      this.files.flatMap(({ path, rows }) =>
        rows.map((row) => [rowKey(path, row), { path, row: row.id }] as const),
      ),
    );
    this.context.post({
      type: "propose-chosen",
      turnId: this.turn.id,
      choices: chosen.flatMap(([key, candidate]) => {
        const place = keys.get(key);
        return place ? [{ ...place, candidate }] : [];
      }),
    });
  }

  private show(problems: readonly CombinedProblem[]): void {
    const rows = problems.map((problem) =>
      h("p", {}, icon("warning"), h("span", {}, combinedProblemText(problem))),
    );
    this.problems.replaceChildren(...rows);
  }
}

/** Choices as a form keeps them: keys and candidates in turn. */
function choicesOf(kept: readonly string[]): Choices {
  const pairs = kept.flatMap((key, at) =>
    at % 2 === 0 ? [[key, Number(kept[at + 1] ?? "")] as const] : [],
  );
  return new Map(pairs);
}
