import type { Localize } from "../../base/localize.ts";
import type { SettingProblem } from "./settings.ts";

/** What to tell the user about a setting that cannot be used as it is. */
export function settingProblemMessage(t: Localize, problem: SettingProblem): string {
  switch (problem.code) {
    case "invalid-value": {
      const { setting, fallback } = problem;
      return fallback === ""
        ? t("The setting graft.{setting} is invalid, so Graft ignores it.", { setting })
        : t("The setting graft.{setting} is invalid. Graft uses {fallback} instead.", { setting, fallback });
    }
    case "invalid-rule":
      return t("Rule {entry} of graft.permissions.rules is invalid. Until this is fixed, Graft asks before each call that reaches it.", {
        entry: problem.entry,
      });
    case "match-without-command":
      return t(
        "Rule {entry} of graft.permissions.rules has a match, which only run_command supports. Until this is fixed, Graft asks before each call that reaches it.",
        { entry: problem.entry },
      );
    case "model-unused":
      return t(
        "graft.model is {model}, but graft.baseUrl is still demo, so the answers are scripted. Set graft.baseUrl to the model's endpoint, such as https://api.openai.com/v1.",
        { model: problem.model },
      );
  }
}
