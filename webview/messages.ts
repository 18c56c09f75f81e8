import { firstWords } from "../src/base/text/clip.ts";
import { visibleLine } from "../src/base/text/visibleText.ts";
import type {
  ContextMessage,
  ModelOffer,
  PanelStatus,
  PendingFile,
} from "../src/protocol/messages.ts";
import { agentsText, costText, fromChatsText } from "../src/turns/messages.ts";
import type { AgentTurn, ToolCallState, Turn, TurnPart } from "../src/turns/turn.ts";
import type { ContextUse } from "../src/turns/turnEvent.ts";
import type { Activity } from "./answer/activity.ts";
import { t } from "./l10n.ts";
import type { DiagramFault } from "./markdown/drawnDiagram.ts";

/** Characters of a request that a sentence quotes. */
const QUOTED_LENGTH = 60;
/** Milliseconds below which a running time is not worth showing. */
const SHORTEST_ELAPSED = 2_000;

/** Why a request cannot be sent while another one is being answered. */
export const STILL_ANSWERING = t("Graft is still answering. Wait, or stop it first.");

/**
 * Why nothing can be sent, or null when it can. A running turn is no reason: the message is queued.
 */
export function whySendIsDisabled(status: PanelStatus | null): string | null {
  if (!status) return t("Starting…");
  if (!status.workspace) return t("Open a folder to start.");
  if (status.model.trim() === "" && !status.demo) return t("No model is chosen. Choose one below.");
  return null;
}

/** Why a diagram is shown as its source. */
export function diagramFault(fault: DiagramFault): string {
  if (fault.type === "too-long") return t("This diagram is too large to be drawn.");
  if (fault.type === "gave-up") return t("Drawing this diagram took too long.");
  return t("This diagram cannot be drawn: {detail}", { detail: visibleLine(fault.detail) });
}

/** Takes a model that was found. */
export function offerText({ source, from, fromName, label }: ModelOffer): string {
  if (source === "connection") return t("Choose a model of {name}", { name: from });
  if (source === "environment")
    return t("Use {provider} with the key in the environment", { provider: from });
  if (source === "local")
    return t("Use {model} on this machine ({server})", { model: label, server: from });
  return t("Use {model} from {vendor}", {
    model: label,
    vendor: fromName ?? (from === "copilot" ? "Copilot" : from),
  });
}

/** How far the copy is in which a command will run. */
export function copiedText({ files, bytes }: NonNullable<ToolCallState["copied"]>): string {
  const size = Math.round(bytes / 1_048_576);
  return t("Copying the workspace: {count} files, {size} MB", { count: files, size });
}

/** A duration: `40 ms`, `1.2 s`, `75 s`, `3 min 5 s`. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1000) return t("{count} ms", { count: Math.max(0, Math.round(milliseconds)) });
  const seconds = milliseconds / 1000;
  if (seconds < 9.95) return t("{count} s", { count: seconds.toFixed(1) });
  const whole = Math.round(seconds);
  return whole < 120
    ? t("{count} s", { count: whole })
    : t("{minutes} min {seconds} s", { minutes: Math.floor(whole / 60), seconds: whole % 60 });
}

/** How long something has been running, in whole seconds; "" for less than two. */
export function elapsedText(milliseconds: number): string {
  if (milliseconds < SHORTEST_ELAPSED) return "";
  const seconds = Math.floor(milliseconds / 1000);
  return seconds < 10 ? t("{count} s", { count: seconds }) : durationText(seconds * 1000);
}

/** How long a finished tool took, from one second on, and how often it was retried. */
export function toolTime(milliseconds: number, retries: number): string {
  const time = milliseconds < 1000 ? [] : [durationText(milliseconds)];
  return [
    ...time,
    ...(retries === 0 ? [] : [retries === 1 ? t("1 retry") : t("{retries} retries", { retries })]),
  ].join(", ");
}

/**
 * A retry on one line: `Rate limited · retrying in 5 s (2 of 3)`, and once it no longer waits,
 * without a time (`seconds` null).
 */
export function retryText(
  why: string,
  seconds: number | null,
  attempt: number,
  maxAttempts: number,
): string {
  const facts = { why, attempt, maxAttempts };
  return seconds === null
    ? t("{why} · retried ({attempt} of {maxAttempts})", facts)
    : t("{why} · retrying in {seconds} s ({attempt} of {maxAttempts})", { ...facts, seconds });
}

/**
 * A tool as people name it, on one line: `read file`, or `echo (everything)` for one of an MCP server.
 */
export function toolLabel({ name, origin }: Pick<ToolCallState, "name" | "origin">): string {
  if (origin === null) return visibleLine(name).replaceAll("_", " ");
  const tool = visibleLine(origin.tool);
  return origin.server === null
    ? t("{tool} (another extension)", { tool })
    : t("{tool} ({server})", { tool, server: visibleLine(origin.server) });
}

/** What a running turn is doing. */
export function activityText(activity: Activity): string {
  switch (activity.code) {
    case "needs-permission":
      return t("Waiting for your permission");
    case "needs-answer":
      return t("Waiting for your answer");
    case "writing":
      return t("Writing {file}", { file: activity.path });
    case "running": {
      const what =
        activity.tools > 1
          ? t("Running {count} tools", { count: activity.tools })
          : activity.call.name === "run_command"
            ? t("Running a command")
            : t("Running {tool}", { tool: toolLabel(activity.call) });
      const time = elapsedText(activity.elapsedMs);
      return time === "" ? what : `${what} · ${time}`;
    }
    case "models":
      return t("{left} of {all} models still answer", { left: activity.left, all: activity.all });
    case "compacting":
      return t("Compacting the conversation");
    case "retrying":
      return t("Retrying in {seconds} s", { seconds: activity.seconds });
    case "thinking":
      return t("Thinking");
    case "answering":
      return t("Answering");
    case "waiting":
      return t("Waiting for the model");
  }
}

/** `1 conflict`, `2 conflicts`. */
export function conflictCount(count: number): string {
  return count === 1 ? t("1 conflict") : t("{count} conflicts", { count });
}

/** How many of a file's edits are accepted: `2 of 7 applied`. */
export function acceptedText(accepted: number, count: number): string {
  return t("{accepted} of {count} applied", { accepted, count });
}

/**
 * What to know about a pending file besides its lines: how much is accepted, protection, conflicts,
 * warnings.
 */
export function pendingFacts({
  streaming,
  hunks,
  accepted,
  conflicts,
  warnings,
  protected: isProtected,
  elsewhere,
  shares,
  agents,
  unkept,
}: PendingFile): string {
  const notStored = unkept === undefined ? [] : [t("not stored")];
  if (streaming) return [t("streaming…"), ...notStored].join(" · ");
  const chats = (shares ?? []).flatMap(({ kind, name }) => (kind === "chat" ? [name] : []));
  const facts = [
    ...notStored,
    ...(elsewhere ? [t("in another window")] : []),
    ...(agents ? [agentsText(t, agents)] : []),
    ...(chats.length > 0 ? [fromChatsText(t, chats)] : []),
    ...(hunks > 1 ? [t("{count} changes", { count: hunks })] : []),
    ...(accepted > 0 ? [t("{count} accepted", { count: accepted })] : []),
    ...(isProtected ? [t("protected")] : []),
    ...(conflicts > 0 ? [conflictCount(conflicts)] : []),
    ...(warnings > 0
      ? [warnings === 1 ? t("1 warning") : t("{count} warnings", { count: warnings })]
      : []),
  ];
  return facts.join(" · ");
}

/** Which files a restore brought back, or that the restore was undone. */
export function restoredText({
  request,
  files,
  undone,
  blocks,
}: TurnPart & { readonly type: "files-restored" }): string {
  const facts = {
    request: firstWords(request, QUOTED_LENGTH),
    files: files
      .map(({ path, deleted }) =>
        deleted && !undone ? t("{file} (deleted)", { file: path }) : path,
      )
      .join(", "),
  };
  if (blocks)
    return undone
      ? t("Accepted edits are in the file again: {files}", facts)
      : t("Accepted edits are no longer in the file: {files}", facts);
  if (request === "")
    return undone
      ? t("Redid the changes of a turn: {files}", facts)
      : t("Undid the changes of a turn: {files}", facts);
  return undone
    ? t("Redid the changes since “{request}”: {files}", facts)
    : t("Undid the changes since “{request}”: {files}", facts);
}

/** Which of the versions of a request or an answer is shown. */
export function versionText(role: Turn["role"], number: number, count: number): string {
  const facts = { number, count };
  return role === "user"
    ? t("Version {number} of {count} of this request", facts)
    : t("Version {number} of {count} of this answer", facts);
}

/** How long an answer took, how many tokens it took and what they cost, where known. */
export function turnFacts(turn: AgentTurn): string {
  const { startedAt, endedAt } = turn;
  return [
    ...(endedAt === null ? [] : [durationText(endedAt - startedAt)]),
    ...usageFacts(turn),
  ].join(" · ");
}

/** What took the tokens of an answer, and what its whole chat took; line by line. */
export function usageDetails(turn: AgentTurn, chat: readonly AgentTurn[]): string {
  return [turn.model, ...usageLines(turn, chat)].join("\n");
}

/** What an answer used, and with the other answers of its chat. What is estimated begins with ≈. */
export function usageLines(turn: AgentTurn, chat: readonly AgentTurn[]): readonly string[] {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens, estimatesTokens } = turn;
  const all = usageFacts({
    inputTokens: sum(chat.map((each) => each.inputTokens)),
    outputTokens: sum(chat.map((each) => each.outputTokens)),
    cachedInputTokens: sum(chat.map((each) => each.cachedInputTokens)),
    cost: chat.some(({ cost }) => cost !== null) ? sum(chat.map(({ cost }) => cost ?? 0)) : null,
    estimatesTokens: chat.some((each) => each.estimatesTokens),
    estimatesCost: chat.some((each) => each.estimatesCost),
  });
  const mark = estimatesTokens ? "≈" : "";
  const facts = {
    input: mark + number(inputTokens),
    cached: number(cachedInputTokens),
    output: mark + number(outputTokens),
  };
  const tokens =
    cachedInputTokens === 0
      ? t("Input {input}, output {output}", facts)
      : t("Input {input} ({cached} from the cache), output {output}", facts);
  const lines = inputTokens + outputTokens > 0 ? [tokens] : [];
  return [
    ...lines,
    ...(reasoningTokens > 0
      ? [t("{count} of the output for thinking", { count: number(reasoningTokens) })]
      : []),
    ...(all.length > 0 ? [t("This chat: {facts}", { facts: all.join(" · ") })] : []),
    ...([turn, ...chat].some((each) => each.estimatesTokens || each.estimatesCost)
      ? [t("≈ estimated by Graft: the server did not say")]
      : []),
  ];
}

type Used = Pick<
  AgentTurn,
  | "inputTokens"
  | "outputTokens"
  | "cachedInputTokens"
  | "cost"
  | "estimatesTokens"
  | "estimatesCost"
>;

/** Tokens and cost, where known. */
export function usageFacts(used: Used): readonly string[] {
  const { inputTokens, outputTokens, cachedInputTokens, cost } = used;
  const tokens = inputTokens + outputTokens;
  const share = Math.round((100 * cachedInputTokens) / Math.max(1, inputTokens));
  const count = (used.estimatesTokens ? "≈" : "") + number(tokens);
  return [
    ...(tokens > 0 ? [t("{count} tokens", { count })] : []),
    ...(share > 0 ? [t("{percent}% cached", { percent: share })] : []),
    ...(cost === null ? [] : [(used.estimatesCost ? "≈" : "") + costText(cost)]),
  ];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}

/** A whole number in groups of three digits: `6,010`. */
export function number(count: number): string {
  return count.toLocaleString("en");
}

/** A count of tokens in few characters: `840`, `1.2k`, `48k`. */
export function tokenCount(tokens: number): string {
  if (tokens < 1_000) return String(tokens);
  return tokens < 9_950
    ? t("{count}k", { count: (tokens / 1_000).toFixed(1) })
    : t("{count}k", { count: Math.round(tokens / 1_000) });
}

/**
 * What takes the context window, `draft` by what is attached to the next message, and what is left
 * of it, in tokens.
 */
export function contextParts(
  { window, reserve, system, tools, attachments, history }: ContextUse,
  draft: number,
): readonly (readonly [string, number])[] {
  const parts: readonly (readonly [string, number])[] = [
    [t("System prompt"), system],
    [t("Tools"), tools],
    [t("Attachments"), attachments],
    [t("Conversation"), history],
    [t("Attached to the draft"), draft],
    [t("Reserved for the answer"), reserve],
    [t("Left"), Math.max(0, window - reserve - system - tools - attachments - history - draft)],
  ];
  return parts.filter(([, tokens], index) => tokens > 0 || index === parts.length - 1);
}

/** Why things were not attached. */
export function refusalText(
  refused: (ContextMessage & { readonly type: "attach" })["refused"],
): string {
  const [first, ...more] = refused.filter(({ code }) => code === "not-in-workspace");
  const others = refused.filter(({ code }) => code !== "not-in-workspace");
  const name = visibleLine(first?.name ?? "");
  const outside =
    more.length > 0
      ? [
          t("{name} and {count} more are not files in the workspace, so they were not attached.", {
            name,
            count: more.length,
          }),
        ]
      : first
        ? [refusedText(first.code, name)]
        : [];
  return [...outside, ...others.map((each) => refusedText(each.code, visibleLine(each.name)))].join(
    " ",
  );
}

function refusedText(
  code: (ContextMessage & { readonly type: "attach" })["refused"][number]["code"],
  given: string,
): string {
  const name = given === "" ? t("The image") : given;
  switch (code) {
    case "nothing-selected":
      return t("Nothing is selected in the terminal.");
    case "not-stored":
      return t(
        "{name} could not be stored, so it was not attached. Check that the disk has room.",
        { name },
      );
    case "image-too-large":
      return t("{name} is larger than 20 MB, so it was not attached.", { name });
    case "image-too-many-pixels":
      return t(
        "{name} has more than 64 million pixels, so it was not attached. Scale it down first.",
        { name },
      );
    case "image-unsupported":
      return t(
        "{name} is not a PNG, JPEG, WebP or GIF image, so it was not attached. Convert it first.",
        { name },
      );
    case "image-broken":
      return t("{name} cannot be read as an image, so it was not attached.", { name });
    case "not-in-workspace":
      return t("{name} is not a file in the workspace, so it was not attached.", { name });
  }
}

/** Why the images of the message are not sent; null where they are. */
export function imageWarning({ noImages, demo, model }: PanelStatus): string | null {
  if (noImages === "editor")
    return t(
      "This version of VS Code cannot send images to its own models. Update it, or choose another model.",
    );
  const name = demo ? t("Demo (no AI)") : model;
  return noImages === "model"
    ? t("{model} does not accept images. Graft sends only the file names.", { model: name })
    : null;
}

/** The lines that a call names, from its arguments, 1-based and inclusive; null when it names none. */
export function lineRange(start: string | null, end: string | null): string | null {
  if (start === null && end === null) return null;
  const first = start ?? "1";
  if (end === null) return t("lines {first}–end", { first });
  return start === end
    ? t("line {line}", { line: end })
    : t("lines {first}–{last}", { first, last: end });
}
