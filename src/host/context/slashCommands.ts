import * as vscode from "vscode";
import { expandPrompt, type PromptFile, parsePromptFile } from "../../base/text/promptFile.ts";
import type { Suggestion } from "../../protocol/messages.ts";
import type { AttachmentRef } from "../../turns/attachment.ts";
import { t } from "../localize.ts";
import type { VscodeWorkspace } from "../workspace/vscodeWorkspace.ts";
import { activeFileRef } from "./activeFileRef.ts";
import { problemCount } from "./attachedText.ts";
import { type BuiltInCommand, commandDescription, commandPrompt } from "./messages.ts";

/** What a message that begins with a command stands for. */
export type ExpandedMessage =
  | { readonly code: "send"; readonly text: string; readonly attached: readonly AttachmentRef[] }
  /** `words` is what was typed after the command. */
  | { readonly code: "edit" | "compact"; readonly words: string };

const BUILT_IN: readonly BuiltInCommand[] = ["edit", "explain", "fix", "test", "commit", "compact", "new"];
/** Where a workspace keeps its prompts. */
const PROMPT_FILES = "{.graft/commands/*.md,.github/prompts/*.prompt.md}";
const MAX_PROMPTS = 100;
/** The longest prompt, in UTF-16 units. */
const MAX_PROMPT = 48_000;

/** The commands whose name starts with `query`: Graft's own, then the workspace's prompt files. */
export async function suggestCommands(query: string, workspace: VscodeWorkspace): Promise<Suggestion[]> {
  const own = BUILT_IN.map((name) => ({ name, description: commandDescription(t, name) }));
  const prompts = (await readPrompts(workspace)).map((prompt) => ({ ...prompt, description: prompt.description || t("Prompt file") }));
  return [...own, ...prompts]
    .filter(({ name }) => name.toLowerCase().startsWith(query.toLowerCase()))
    .map(({ name, description }) => ({ label: `/${name}`, detail: description, ref: null, insert: `/${name} ` }));
}

/** What `text` stands for; the text itself where it begins with no command. */
export async function expandMessage(
  text: string,
  attached: readonly AttachmentRef[],
  workspace: VscodeWorkspace,
): Promise<ExpandedMessage> {
  const [, name = "", words = ""] = /^\/(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
  const own = BUILT_IN.find((each) => each === name);
  const prompt = own ? commandPrompt(t, own) : null;
  if (own && prompt !== null) {
    const about = own === "commit" ? attached : withPlace(own, attached);
    return { code: "send", text: expandPrompt(prompt, words.trim()), attached: about };
  }
  if (own === "edit" || own === "compact") return { code: own, words: words.trim() };
  const file = name === "" ? undefined : (await readPrompts(workspace)).find((prompt) => prompt.name === name);
  return { code: "send", text: file ? expandPrompt(file.body, words.trim()) : text, attached };
}

/** A command about code is about what is attached, else about what the editor shows. */
function withPlace(name: BuiltInCommand, attached: readonly AttachmentRef[]): readonly AttachmentRef[] {
  const active = attached.length > 0 ? null : activeFileRef();
  if (!active) return attached;
  const problems: AttachmentRef = { ...active, kind: "problems" };
  return name === "fix" && problemCount() > 0 ? [active, problems] : [active];
}

/** The prompts of a trusted workspace, by name; one of Graft's own commands is never replaced. Never rejects. */
async function readPrompts(workspace: VscodeWorkspace): Promise<readonly PromptFile[]> {
  if (!workspace.trusted) return [];
  const { signal } = new AbortController();
  const found = await Promise.resolve(vscode.workspace.findFiles(PROMPT_FILES, null, MAX_PROMPTS)).catch(() => []);
  const files = await Promise.all(
    [...found]
      .sort((a, b) => (a.path < b.path ? 1 : -1))
      .map(async (uri) => {
        const file = await workspace.resolveUri(uri);
        const read = file.ok ? await workspace.read(file.value, signal) : null;
        return read?.ok && read.value.text.length <= MAX_PROMPT ? parsePromptFile(uri.path, read.value.text) : null;
      }),
  );
  const known = new Set<string>(BUILT_IN);
  return files
    .flatMap((file) => {
      if (!file || known.has(file.name)) return [];
      known.add(file.name);
      return [file];
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
