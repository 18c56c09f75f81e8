import * as vscode from "vscode";
import { expandPrompt, type PromptFile, parsePromptFile } from "../../base/text/promptFile.ts";
import type { Suggestion } from "../../protocol/messages.ts";
import {
  type HostCommand,
  type PromptCommand,
  readSlash,
  readSlashCommand,
  SLASH_COMMAND_NAMES,
} from "../../protocol/slashCommands.ts";
import type { NamedOffers } from "../../tools/command/chatAgent.ts";
import type { ServerPrompts } from "../../tools/mcp/mcpPrompt.ts";
import type { AttachmentRef } from "../../turns/attachment.ts";
import { t } from "../localize.ts";

import type { VscodeWorkspace } from "../workspace/vscodeWorkspace.ts";
import { activeFileRef } from "./activeFileRef.ts";
import { problemCount } from "./attachedText.ts";
import { commandDescription, commandPrompt } from "./messages.ts";

/** A message with its slash command expanded. */
export type ExpandedMessage =
  /** Nothing is sent; the user was told why. */
  | { readonly code: "refused" }
  | { readonly code: "send"; readonly text: string; readonly attached: readonly AttachmentRef[] }
  /** `words` is the text after the command. */
  | { readonly code: HostCommand; readonly words: string };

/** Where commands come from besides Graft's own. */
interface CommandPlaces {
  readonly workspace: VscodeWorkspace;
  readonly serverPrompts: ServerPrompts;
}

const PROMPT_FILES = "{.graft/commands/*.md,.github/prompts/*.prompt.md}";
const MAX_PROMPTS = 100;
/** The longest prompt, in UTF-16 units. */
const MAX_PROMPT = 48_000;

/**
 * The commands that start with `query`: those of the agent that answers in the chat, Graft's own, then
 * the workspace's prompt files.
 */
export async function suggestCommands(
  query: string,
  { workspace, serverPrompts }: CommandPlaces,
  offers: NamedOffers | null,
): Promise<Suggestion[]> {
  const theirs = offers?.commands ?? [];
  const own = SLASH_COMMAND_NAMES.filter(
    (name) => !theirs.some((command) => command.name === name),
  ).map((name) => ({
    name,
    description: commandDescription(t, name),
  }));
  const agents = theirs.map(({ name, description }) => ({
    name,
    description: [offers?.agent, description].filter(Boolean).join(": "),
  }));
  const prompts = (await readPrompts(workspace)).map((prompt) => ({
    ...prompt,
    description: prompt.description || t("Prompt file"),
  }));
  const known = new Set(theirs.map(({ name }) => name));
  const served = offers === null ? await serverPrompts.list() : [];
  return [...agents, ...own, ...prompts.filter(({ name }) => !known.has(name)), ...served]
    .filter(({ name }) => name.toLowerCase().startsWith(query.toLowerCase()))
    .map(({ name, description }) => ({
      label: `/${name}`,
      detail: description,
      ref: null,
      insert: `/${name} `,
    }));
}

/** Expands a slash command in `text`. Other texts and an agent's own commands are unchanged. */
export async function expandMessage(
  text: string,
  attached: readonly AttachmentRef[],
  { workspace, serverPrompts }: CommandPlaces,
  offers: NamedOffers | null,
): Promise<ExpandedMessage> {
  const named = readSlash(text)?.name;
  if (offers?.commands.some(({ name }) => name === named)) return { code: "send", text, attached };
  const own = readSlashCommand(text);
  if (own?.by === "prompt") {
    const about = own.name === "commit" ? attached : withPlace(own.name, attached);
    const prompt = commandPrompt(t, own.name);
    return { code: "send", text: expandPrompt(prompt, own.words), attached: about };
  }
  if (own?.by === "host") return { code: own.name, words: own.words };
  const slash = readSlash(text);
  const file = slash && (await readPrompts(workspace)).find(({ name }) => name === slash.name);
  const { signal } = new AbortController();
  const served = slash && !file ? await serverPrompts.get(slash.name, slash.words, signal) : null;
  if (served?.ok === false) {
    const facts = { name: slash?.name ?? "", detail: served.error || t("no reason given") };
    void vscode.window.showWarningMessage(t("The prompt {name} was not sent: {detail}", facts));
    return { code: "refused" };
  }
  if (served?.ok) return { code: "send", text: served.value, attached };
  return { code: "send", text: file ? expandPrompt(file.body, slash.words) : text, attached };
}

/** A command applies to the attachments, or else to what the active editor shows. */
function withPlace(
  name: PromptCommand,
  attached: readonly AttachmentRef[],
): readonly AttachmentRef[] {
  const active = attached.length > 0 ? null : activeFileRef();
  if (!active) return attached;
  const problems: AttachmentRef = { ...active, kind: "problems" };
  return name === "fix" && problemCount() > 0 ? [active, problems] : [active];
}

/**
 * The prompts of a trusted workspace, by name. They cannot replace Graft's own commands. Never
 * rejects.
 */
async function readPrompts(workspace: VscodeWorkspace): Promise<readonly PromptFile[]> {
  if (!workspace.trusted) return [];
  const { signal } = new AbortController();
  const found = await Promise.resolve(
    vscode.workspace.findFiles(PROMPT_FILES, null, MAX_PROMPTS),
  ).catch(() => []);
  const files = await Promise.all(
    [...found]
      .sort((a, b) => (a.path < b.path ? 1 : -1))
      .map(async (uri) => {
        const file = await workspace.resolveUri(uri);
        const read = file.ok ? await workspace.read(file.value, signal) : null;
        return read?.ok && read.value.text.length <= MAX_PROMPT
          ? parsePromptFile(uri.path, read.value.text)
          : null;
      }),
  );
  const known = new Set<string>(SLASH_COMMAND_NAMES);
  return files
    .flatMap((file) => {
      if (!file || known.has(file.name)) return [];
      known.add(file.name);
      return [file];
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
