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
import type { AttachmentRef } from "../../turns/attachment.ts";
import { t } from "../localize.ts";
import type { VscodeWorkspace } from "../workspace/vscodeWorkspace.ts";
import { activeFileRef } from "./activeFileRef.ts";
import { problemCount } from "./attachedText.ts";
import { commandDescription, commandPrompt } from "./messages.ts";

/** A message with its slash command expanded. */
export type ExpandedMessage =
  | { readonly code: "send"; readonly text: string; readonly attached: readonly AttachmentRef[] }
  /** `words` is the text after the command. */
  | { readonly code: HostCommand; readonly words: string };

const PROMPT_FILES = "{.graft/commands/*.md,.github/prompts/*.prompt.md}";
const MAX_PROMPTS = 100;
/** The longest prompt, in UTF-16 units. */
const MAX_PROMPT = 48_000;

/** The commands that start with `query`: Graft's own, then the workspace's prompt files. */
export async function suggestCommands(
  query: string,
  workspace: VscodeWorkspace,
): Promise<Suggestion[]> {
  const own = SLASH_COMMAND_NAMES.map((name) => ({
    name,
    description: commandDescription(t, name),
  }));
  const prompts = (await readPrompts(workspace)).map((prompt) => ({
    ...prompt,
    description: prompt.description || t("Prompt file"),
  }));
  return [...own, ...prompts]
    .filter(({ name }) => name.toLowerCase().startsWith(query.toLowerCase()))
    .map(({ name, description }) => ({
      label: `/${name}`,
      detail: description,
      ref: null,
      insert: `/${name} `,
    }));
}

/** Expands a slash command in `text`. Other texts are unchanged. */
export async function expandMessage(
  text: string,
  attached: readonly AttachmentRef[],
  workspace: VscodeWorkspace,
): Promise<ExpandedMessage> {
  const own = readSlashCommand(text);
  if (own?.by === "prompt") {
    const about = own.name === "commit" ? attached : withPlace(own.name, attached);
    const prompt = commandPrompt(t, own.name);
    return { code: "send", text: expandPrompt(prompt, own.words), attached: about };
  }
  if (own?.by === "host") return { code: own.name, words: own.words };
  const slash = readSlash(text);
  const file = slash && (await readPrompts(workspace)).find(({ name }) => name === slash.name);
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
