import type { Localize } from "../base/localize.ts";
import { firstWords } from "../base/text/clip.ts";
import { sentence } from "../base/text/sentence.ts";
import { visibleLine } from "../base/text/visibleText.ts";
import { failureMessage } from "../model/messages.ts";
import { fileErrorMessage } from "../ports/messages.ts";
import type { AttachmentRef } from "./attachment.ts";
import {
  agentFailureMessage,
  changesLostMessage,
  withoutShadowMessage,
} from "./chatAgents/messages.ts";
import type { ToolCallState, TurnNotice, TurnPart } from "./turn.ts";
import type { TurnError } from "./turnError.ts";

/**
 * Why a turn ended with an error, for the user: what happened, why, and what to do unless Graft is
 * `retrying`.
 */
export function turnErrorMessage(error: TurnError, t: Localize, retrying = false): string {
  switch (error.code) {
    case "request-too-large": {
      const [part, advice] = largestPart(error.largest.of, t);
      const sizes = {
        tokens: rounded(error.tokens),
        limit: rounded(error.limit),
        part,
        size: rounded(error.largest.tokens),
      };
      const what = t(
        "The request has about {tokens} tokens, but the context window has room for {limit}.",
        sizes,
      );
      return `${what} ${t("The largest part is {part}: about {size} tokens.", sizes)} ${advice}`;
    }
    case "compaction-failed":
      return t(
        "The conversation exceeds the model's context window, and summarizing it failed. {cause}",
        {
          cause: failureMessage(error.cause, t),
        },
      );
    case "edit-mode-refused":
      return fileErrorMessage(error.error, t);
    case "agent-file":
      return error.problem === "broken"
        ? t(
            "The agent's file {path} cannot be used: correct its front matter, or choose another mode.",
            {
              path: error.path,
            },
          )
        : t("The agent's file {path} no longer exists. Choose another mode.", {
            path: error.path,
          });
    case "agent-failed":
      return agentFailureMessage(error, t);
    case "internal":
      return t("Graft failed: {said}", { said: sentence(error.said) });
    default:
      return failureMessage(error, t, retrying);
  }
}

function unreadCallMessage(
  { model, taught }: TurnNotice & { readonly code: "unread-call" },
  t: Localize,
): string {
  return taught
    ? t("{model} seems to have written a tool call in the wrong format, so it did not run.", {
        model,
      })
    : t(
        "{model} seems to have written a tool call as text, so it did not run. Check the server's chat template and tool parser for this model.",
        { model },
      );
}

function commandsLostMessage(
  { commands }: TurnNotice & { readonly code: "commands-lost" },
  t: Localize,
): string {
  const [first = ""] = commands;
  const command = firstWords(first, 80);
  const more = commands.length - 1;
  return more > 0
    ? t("Ended with the window: {command} and {more} more. Graft tells the model.", {
        command,
        more,
      })
    : t("Ended with the window: {command}. Graft tells the model.", { command });
}

/** What a notice in a turn tells the user. */
export function noticeMessage(notice: TurnNotice, t: Localize): string {
  switch (notice.code) {
    case "empty-response":
      return emptyMessage(notice, t);
    case "lost-call":
      return `${t("The server announced a tool call and sent none.")} ${t("Graft asks it once more.")}`;
    case "small-window":
      return smallWindowMessage(notice, t);
    case "commands-lost":
      return commandsLostMessage(notice, t);
    case "request-cut":
      return requestCutMessage(notice, t);
    case "step-limit":
      return t("The model has taken its {steps} steps and sums up what it did.", {
        steps: notice.steps,
      });
    case "tools-refused": {
      const refused = failureMessage(notice.error, t);
      return `${refused} ${t("Graft describes its tools in the text instead. If the model does not use them, run Graft: Start Edit Mode on File.")}`;
    }
    case "tools-left-out": {
      const refused = failureMessage(notice.error, t);
      const tools = notice.tools.join(", ");
      return `${refused} ${t("Graft continues without these tools: {tools}.", { tools })}`;
    }
    case "images-refused": {
      const refused = failureMessage(notice.error, t, true);
      return `${refused} ${t("Graft continues without images and sends only their names.")}`;
    }
    case "agent-without-shadow":
      return withoutShadowMessage(notice, t);
    case "agent-changes-lost":
      return changesLostMessage(notice, t);
    case "agent-without-images":
      return t("{agent} does not accept images, so Graft did not send them.", {
        agent: notice.agent,
      });
    case "agent-model":
      return t("{agent} asks for the model {wanted}, which graft.connections does not name.", {
        agent: notice.agent,
        wanted: notice.wanted,
      });
    case "unread-call":
      return unreadCallMessage(notice, t);
    case "tools-unavailable":
      return notice.detail === null
        ? t(
            "MCP servers are not available in the browser. Open the folder in VS Code on a computer to use them.",
          )
        : t("MCP servers are not available: {reason}", { reason: sentence(notice.detail) });
    case "edit-format":
      return editFormatMessage(notice, t);
    case "compacted":
      return t(
        "The conversation exceeded the model's context window. The model now sees a summary of the earlier turns; you still see all of them.",
      );
    case "turn-running":
      return t(
        "The message was not sent because another turn is running. Stop that turn, or wait until it is over.",
      );
    case "retry": {
      const { attempt, maxAttempts, waitMs } = notice;
      const seconds = Math.max(1, Math.round(waitMs / 1000));
      return `${turnErrorMessage(notice.error, t, true)} ${t("Retrying in {seconds} s ({attempt} of {maxAttempts}).", { seconds, attempt, maxAttempts })}`;
    }
  }
}

function editFormatMessage(
  notice: TurnNotice & { readonly code: "edit-format" },
  t: Localize,
): string {
  const facts = { refused: notice.refused, blocks: notice.blocks };
  const why = t(
    "Many of this model's edits by element name could not be placed ({refused} of {blocks}).",
    facts,
  );
  const asked =
    notice.format === "lines"
      ? t("Graft asks it for line numbers instead.")
      : t("Graft asks it for whole files instead, where they are short.");
  return `${why} ${asked} ${t("The setting graft.edits.format overrides this.")}`;
}

function requestCutMessage(
  { sent, counted }: TurnNotice & { readonly code: "request-cut" },
  t: Localize,
): string {
  const what = t(
    "The server cut the request: it read {counted} of about {sent} tokens, so the model did not see all of it.",
    { sent: rounded(sent), counted },
  );
  return `${what} ${t("Give the model a larger context window: for Ollama in graft.contextWindow, for LM Studio when you load the model. Until then Graft sends less.")}`;
}

function smallWindowMessage(
  { offer, window }: TurnNotice & { readonly code: "small-window" },
  t: Localize,
): string {
  const small = t("The context window of {window} tokens is small.", { window });
  switch (offer) {
    case "few":
      return `${small} ${t("Graft offers only the tools to read, search and edit.")}`;
    case "brief":
      return `${small} ${t("Graft offers only the tools to read, search and edit, described in a sentence each.")}`;
    case "none":
      return `${small} ${t("Graft offers this model no tools. Attach the files you ask about. To change one, run Graft: Start Edit Mode on File.")}`;
  }
}

function emptyMessage(
  { thought, again }: TurnNotice & { readonly code: "empty-response" },
  t: Localize,
): string {
  const what = thought
    ? t("The model returned only reasoning and no answer.")
    : t("The model returned an empty response.");
  return again ? `${what} ${t("Graft asks it once more.")}` : what;
}

/** Says that the user did not hear all of a spoken answer. */
export function unheardMessage(
  { reason }: TurnPart & { readonly type: "unheard" },
  t: Localize,
): string {
  return reason === "interrupted"
    ? t("You interrupted the spoken answer.")
    : t("The spoken answer was cut off.");
}

/** What the user is asked: a tool's own words, or Graft's question about the call. */
export function questionMessage(
  { question, about }: Pick<NonNullable<ToolCallState["question"]>, "question" | "about">,
  t: Localize,
): string {
  if (!about) return question;
  if (about.code === "turn-cost") {
    return t("This turn has cost {cost}, more than your limit of {limit}. Let it continue?", {
      cost: costText(about.cost),
      limit: costText(about.limit),
    });
  }
  return t(
    "The model called {tool} {times} times in a row with the same result. Let it continue?",
    {
      tool: about.tool,
      times: about.times,
    },
  );
}

function largestPart(
  of: (TurnError & { code: "request-too-large" })["largest"]["of"],
  t: Localize,
): readonly [part: string, advice: string] {
  const askLess = t(
    "Ask for less, start a new chat, or raise graft.contextWindow if the model takes more.",
  );
  const raise = t(
    "Raise graft.contextWindow if the model takes more, or run Graft: Start Edit Mode on File, which needs no tools.",
  );
  switch (of) {
    case "tool":
      return [t("a tool result"), askLess];
    case "user":
      return [t("one of your messages, with what was attached to it"), askLess];
    case "assistant":
      return [t("one of the model's answers"), askLess];
    case "tools":
      return [t("the tool descriptions"), raise];
    case "system":
      return [t("Graft's instructions"), raise];
  }
}

/** US dollars as people read them. */
export function costText(dollars: number): string {
  if (dollars > 0 && dollars < 0.01) return "<$0.01";
  return `$${dollars.toFixed(2)}`;
}

function rounded(tokens: number): number {
  return tokens < 1000 ? tokens : Math.round(tokens / 100) * 100;
}

/** What a chip says of an attachment: a file by its last name, hidden characters as code points. */
export function attachmentLabel(
  { kind, path, lines, name }: Omit<AttachmentRef, "text">,
  t: Localize,
): string {
  const file = visibleLine((path ?? "").slice((path ?? "").lastIndexOf("/") + 1));
  const span = !lines
    ? ""
    : lines.first === lines.last
      ? `:${lines.first}`
      : `:${lines.first}-${lines.last}`;
  switch (kind) {
    case "file":
    case "selection":
      return `${file}${span}`;
    case "folder":
      return path === "" ? t("Workspace folder") : `${file}/`;
    case "symbol":
      return visibleLine(name);
    case "hunk":
      return t("Change in {file}", { file: `${file}${span}` });
    case "problems":
      return path === null ? t("Problems") : t("Problems in {file}", { file: `${file}${span}` });
    case "changes":
      return t("Git changes");
    case "editors":
      return t("Open editors");
    case "terminal":
      return t("Terminal output");
    case "paste":
      return t("Pasted text");
    case "url":
      return visibleLine(name.replace(/^https?:\/\/(?:www\.)?/, "").replace(/\/$/, ""));
    case "image":
      return name === "" ? t("Pasted image") : visibleLine(name);
  }
}

/** The heading of reports that the model got of an answer's edits. */
export function reportsText(count: number, t: Localize): string {
  return count === 1
    ? t("Report sent to the model")
    : t("{count} reports sent to the model", { count });
}

/** `1 file`, `3 files`. */
export function fileCount(t: Localize, count: number): string {
  return count === 1 ? t("1 file") : t("{count} files", { count });
}

/** The names of agents of other makers in a list; "" stands for one that did not say its own. */
export function agentsText(t: Localize, agents: readonly string[]): string {
  return agents.map((agent) => (agent === "" ? t("another agent") : agent)).join(", ");
}

/** Which chats wrote a proposal, by their titles; "" stands for one without a title. */
export function fromChatsText(t: Localize, titles: readonly string[]): string {
  const chats = titles.map((title) => (title === "" ? t("another chat") : JSON.stringify(title)));
  return t("from {chats}", { chats: chats.join(", ") });
}
