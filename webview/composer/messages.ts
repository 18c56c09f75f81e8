import type { PanelStatus } from "../../src/protocol/messages.ts";
import { t } from "../l10n.ts";
import { durationText } from "../messages.ts";

/** What the workspace's check says of the proposals. */
export function checkText({
  command,
  state,
  stale,
  ms,
  problem,
  lacked = false,
  run,
  needed,
  changes,
  breaking,
}: NonNullable<PanelStatus["check"]>): string {
  if (command === null) return t("Run a check on the proposals after each answer");
  const facts = { command, time: durationText(ms ?? 0) };
  if (stale && (state === "passed" || state === "failed"))
    return state === "passed"
      ? t("{command} passed before the last change", facts)
      : t("{command} failed before the last change", facts);
  switch (state) {
    case "none":
      return t("{command} has not run on the proposals", facts);
    case "asks":
      return t(
        "{command} was not run: there is no sandbox, and these changes can alter what it does with your account",
        facts,
      );
    case "running":
      return t("Checking: {command}", facts);
    case "searching":
      return t("Running {command} without some of the changes: run {run} of at most 8", {
        ...facts,
        run: run ?? 1,
      });
    case "passed":
      return needed === undefined
        ? t("Checked: {command} passed · {time}", facts)
        : t("{command} passed. Of {count} changes it needs {needed}", {
            ...facts,
            count: changes ?? 0,
            needed,
          });
    case "failed":
      if (breaking) return breakingText(command, breaking);
      return lacked
        ? t("Checked: {command} failed, without network and keys · {time}", facts)
        : t("Checked: {command} failed · {time}", facts);
    case "stopped":
      return t("{command} was stopped", facts);
    case "problem":
      return t("{command} did not run. {problem}", { ...facts, problem: problem ?? "" });
  }
}

function breakingText(
  command: string,
  { code, path, line, others }: NonNullable<NonNullable<PanelStatus["check"]>["breaking"]>,
): string {
  const place = path === null ? "" : line === null ? path : `${path}:${line}`;
  switch (code) {
    case "found":
      return others === 0
        ? t("{command} passes without the change at {place}", { command, place })
        : t("{command} passes without the change at {place} and {count} more that go with it", {
            ...{ command, place },
            count: others,
          });
    case "fails-before":
      return t("{command} also fails without the changes", { command });
    case "not-found":
      return t("No change was found that makes {command} fail", { command });
  }
}
