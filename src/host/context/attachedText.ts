import * as vscode from "vscode";
import type { ChatOptions } from "../../agent/chatOptions.ts";
import type { Hunk } from "../../edits/review/reviewPlan.ts";
import type { Git } from "../../ports/commands/git.ts";
import type { LanguageServices } from "../../ports/languageServices.ts";
import type { Workspace } from "../../ports/workspace.ts";
import { diagnosticLine } from "../../tools/editor/getDiagnostics.ts";
import { gitRefusal } from "../../tools/git/runGit.ts";
import { pageText } from "../../tools/web/fetchUrl.ts";
import { type Web, webAddress } from "../../tools/web/web.ts";
import type { AttachmentRef } from "../../turns/attachment.ts";
import { openTabs } from "../workspace/vscodeEditorState.ts";
import { uncommittedChanges } from "./gitRepositories.ts";

/** A proposal with pending hunks. */
export interface PendingText {
  readonly path: string;
  readonly streaming: boolean;
  readonly realText: string;
  readonly proposedText: string;
  hunks(): readonly Pick<Hunk, "id" | "real" | "proposed">[];
}

/**
 * Reads attachments that are not files, folders or literal texts. Null if the source no longer
 * exists. May reject.
 */
export function createAttachedText(
  workspace: Workspace,
  services: LanguageServices,
  pending: () => readonly PendingText[],
  web: Web | null,
  git: Git | null = null,
): NonNullable<ChatOptions["attached"]> {
  return async (ref, signal) => {
    switch (ref.kind) {
      case "problems":
        return problemsText(workspace, services, ref);
      case "changes": {
        const { diff, refused } = await uncommittedChanges(git, signal);
        const notes = refused.map((refusal) => gitRefusal(refusal, "").message);
        return [diff, ...notes].filter((text) => text !== "").join("\n") || null;
      }
      case "editors":
        return (
          openTabs()
            .map(({ path, unsaved }) => `${path}${unsaved ? " (unsaved)" : ""}`)
            .join("\n") || null
        );
      case "hunk": {
        const review = pending().find(({ path }) => path === ref.path);
        const hunk = review?.hunks().find(({ id }) => id === ref.name);
        return review && hunk ? hunkText(review, hunk) : null;
      }
      case "url": {
        const address = webAddress(ref.name);
        const page = address && web ? await web.read(address, signal) : null;
        return address && page?.ok ? pageText(address, page.value) : null;
      }
      default:
        return null;
    }
  };
}

async function problemsText(
  workspace: Workspace,
  services: LanguageServices,
  { path, lines }: AttachmentRef,
): Promise<string | null> {
  const file = path === null ? null : await workspace.resolve(path);
  if (file && !file.ok) return null;
  const found = await services.diagnostics(file?.value ?? null);
  if (!found.ok) return null;
  const listed = found.value.filter(
    ({ line }) => lines === null || (lines.first <= line && line <= lines.last),
  );
  return listed.map(diagnosticLine).join("\n") || null;
}

/** Formats a hunk as in a unified diff. */
function hunkText(
  { path, realText, proposedText }: PendingText,
  { real, proposed }: Pick<Hunk, "real" | "proposed">,
): string {
  const part = (text: string, { start, end }: Hunk["real"]) =>
    text.split(/\r\n|\n|\r/).slice(start, end);
  const removed = part(realText, real).map((line) => `-${line}`);
  const added = part(proposedText, proposed).map((line) => `+${line}`);
  return [`@@ ${path}, line ${real.start + 1} @@`, ...removed, ...added].join("\n");
}

/** The number of problems that the editor shows. */
export function problemCount(): number {
  return vscode.languages.getDiagnostics().reduce((sum, [, problems]) => sum + problems.length, 0);
}
