import { sentence } from "../../base/text/sentence.ts";
import type { ShadowProblem } from "../../ports/commands/shadow.ts";
import { fileErrorMessage } from "../../ports/messages.ts";
import { MAX_NAMED, named } from "../notes.ts";
import type { ShadowResult } from "../tool.ts";
import type { CheckReport } from "./proposalCheck.ts";

/** What the model is told of a command that ran on the proposals. */
export function shadowNote(shadow: ShadowResult): string {
  const { ground, at, sandbox, proposed, refused } = shadow;
  const { unshown, ignored, repository, unproposed, problem } = shadow;
  const refusals = refused.map(({ error }) => fileErrorMessage(error)).slice(0, MAX_NAMED);
  const notes = [
    ground === "copy"
      ? `It ran in a copy of the workspace with the proposed files${at ? ` (in ${at})` : ""}. Absolute paths lead to the user's own files, so use relative ones.`
      : "It ran on the proposed files; the user's own files did not change.",
    ...(sandbox
      ? [
          "It had no network, and files outside of the workspace were read-only.",
          ...(sandbox.wantedNetwork
            ? ["It tried to use the network: run it with network=true if it needs that."]
            : []),
          ...(sandbox.emptied.length > 0
            ? [
                `It saw these without content, since they may hold keys: ${named(sandbox.emptied)}. Run it with network=true if it needs them.`,
              ]
            : []),
        ]
      : []),
    ...(proposed.length > 0
      ? [
          `It changed these, and the changes wait for the user like yours: ${named(proposed)}. Read such a file again before you edit it.`,
        ]
      : []),
    ...(unproposed > 0
      ? [
          `It changed ${unproposed} files, which is too many to propose: these changes are gone. Use on=workspace for such a command.`,
        ]
      : []),
    ...(problem ? [`What it changed is not proposed: ${shadowReason(problem)}`] : []),
    ...(unshown.length > 0
      ? [`These are no text, so they are only where commands run: ${named(unshown)}.`]
      : []),
    ...(ignored.length > 0
      ? [`Ignored files that it made are only where commands run: ${named(ignored)}.`]
      : []),
    ...(refusals.length > 0 ? [`Not proposed: ${refusals.join(" ")}`] : []),
    ...(repository
      ? ["What it changed in the git repository does not last. Use on=workspace for that."]
      : []),
  ];
  return notes.join(" ");
}

/** The most of a check's output that the model gets, in UTF-16 units from its end. */
const MOST_OUTPUT = 8_000;

/** What the model is told of the user's check on what it proposes. */
export function checkNote({ command, passed, output }: CheckReport): string {
  const tail = output.slice(-MOST_OUTPUT).trim();
  const result = passed ? "passes" : "fails";
  return `The user's check \`${command}\` ${result} on the proposed files.${tail === "" ? "" : ` It wrote:\n${tail}`}`;
}

/** Why commands cannot run on proposals, where that is about the workspace. */
const SHADOW_SENTENCES: Partial<Record<ShadowProblem["code"], (problem: ShadowProblem) => string>> =
  {
    "too-large": ({ size }) =>
      `the copy of the workspace that it needs would have at least ${wholeMegabytes(size?.bytes)} MB, and the user's limit is ${wholeMegabytes(size?.limit)} MB.`,
    "disk-full": ({ path }) =>
      `the disk that holds the proposed files for commands is full${path ? ` (${path})` : ""}. Files that earlier commands left there are removed.`,
    "repository-outside": ({ path, detail }) =>
      `git in a copy of the workspace would change a repository outside of it (${path} leads to ${detail}).`,
    "git-waits": ({ path }) =>
      `git would wait for ${path}, which is a pipe or a device, so Graft could not tell what it ignores. Remove it or make it a plain file.`,
    "git-silent": ({ path }) =>
      `git gave no answer in ${path}, so Graft could not tell what it ignores.`,
  };

/** Why commands cannot run on proposals, as the end of a sentence. */
export function shadowReason(problem: ShadowProblem): string {
  return SHADOW_SENTENCES[problem.code]?.(problem) ?? notInPlace(problem);
}

function wholeMegabytes(bytes = 0): number {
  return Math.ceil(bytes / 1_048_576);
}

function notInPlace({ detail, path }: ShadowProblem): string {
  return `the proposed files could not be put in place${path ? ` (${path})` : ""}. ${sentence(detail)}`;
}
