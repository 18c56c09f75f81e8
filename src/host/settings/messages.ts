import type { Localize } from "../../base/localize.ts";
import { KEY_PLACEHOLDER } from "../../model/connections/connection.ts";
import type { SettingProblem } from "./settings.ts";

/** What to tell the user about a setting that cannot be used as it is. */
export function settingProblemMessage(t: Localize, problem: SettingProblem): string {
  switch (problem.code) {
    case "invalid-value": {
      const { setting, fallback } = problem;
      return fallback === ""
        ? t("The setting graft.{setting} is invalid, so Graft ignores it.", { setting })
        : t("The setting graft.{setting} is invalid. Graft uses {fallback} instead.", {
            setting,
            fallback,
          });
    }
    case "invalid-rule":
      return t(
        "Rule {entry} of graft.permissions.rules is invalid. Until this is fixed, Graft asks before each call that reaches it.",
        {
          entry: problem.entry,
        },
      );
    case "match-without-command":
      return t(
        "Rule {entry} of graft.permissions.rules has a match, which only run_command supports. Until this is fixed, Graft asks before each call that reaches it.",
        { entry: problem.entry },
      );
    case "invalid-connection":
      return problem.field === null
        ? t("Graft ignores the connection {name} in graft.connections: it is invalid.", {
            name: problem.name,
          })
        : t("Graft ignores the connection {name} in graft.connections: {field} is invalid.", {
            name: problem.name,
            field: problem.field,
          });
    case "connection-without-url":
      return t(
        "Connection {name} in graft.connections needs a baseUrl. Until it has one, Graft ignores it.",
        { name: problem.name },
      );
    case "connection-url":
      return t(
        "Graft ignores the connection {name} in graft.connections: its baseUrl must be a web address without a user name or password.",
        { name: problem.name },
      );
    case "connection-secret":
      return t(
        "Connection {name} in graft.connections has a secret in {field}. Write {placeholder} in its place and store the secret with Graft: Set API Key. Until then Graft ignores the connection.",
        { name: problem.name, field: problem.field ?? "", placeholder: KEY_PLACEHOLDER },
      );
    case "connection-name":
      return t("graft.connections has two connections named {name}. Graft ignores the second.", {
        name: problem.name,
      });
  }
}
