import { questionText } from "../../src/base/text/questionText.ts";
import { button } from "../controls.ts";
import { h } from "../dom.ts";
import { t } from "../l10n.ts";

/**
 * A text that the user decides on: its beginning and its end are always in sight, hidden characters
 * are codes, and all of it unfolds. `look` is how it is drawn.
 */
export function wholeText(
  text: string,
  label: string,
  look: "command" | "model-words" = "command",
): HTMLElement {
  const { beginning, middle, end } = questionText(text, t);
  const element = h(
    "pre",
    { class: look, attributes: { role: "group", tabindex: "-1", "aria-label": label } },
    beginning,
  );
  if (middle === "") return element;
  const lines = middle.split("\n").length - 1;
  const what =
    lines > 1
      ? t("{count} lines", { count: lines })
      : t("{count} characters", { count: middle.length });
  const more = button({
    label: t("Show {what} more", { what }),
    appearance: "secondary",
    onClick: () => {
      element.replaceChildren(beginning, middle, end);
      element.focus();
    },
  });
  element.append(h("span", { class: "more" }, "⋯ ", more, " ⋯"), end);
  return element;
}
