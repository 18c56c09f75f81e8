import { lastPart } from "../../base/text/clip.ts";
import { sentence } from "../../base/text/sentence.ts";
import type { ShadowProblem } from "../../ports/commands/shadow.ts";
import { fileErrorMessage } from "../../ports/messages.ts";
import { MAX_NAMED, named } from "../notes.ts";
import type { ProposedPath, ShadowResult } from "../tool.ts";
import type { CheckReport } from "./proposalCheck.ts";

/** What the model is told of a command that ran on the proposals, or still does. */
export function shadowNote(shadow: ShadowResult, isRunning: boolean): string {
  const { sandbox, proposed, refused } = shadow;
  const { unshown, ignored, repository, unproposed, problem } = shadow;
  const refusals = refused.map(({ error }) => fileErrorMessage(error)).slice(0, MAX_NAMED);
  const notes = [
    placeNote(shadow, isRunning),
    ...(sandbox
      ? [
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
    ...(isRunning
      ? [
          "It goes on with the proposals as they are now: later edits and decisions reach its files only when another command runs on them, so restart a server that has read them.",
        ]
      : []),
    ...(proposed.length > 0 ? [proposedNote(proposed)] : []),
    ...(unproposed > 0
      ? [
          `It changed ${unproposed} files, which is too many to propose: these changes are gone. Use on=workspace for such a command.`,
        ]
      : []),
    ...(problem ? [`What it changed is not proposed: ${shadowReason(problem)}`] : []),
    ...(unshown.length > 0
      ? [
          `Not proposed, since they are links or no text: ${named(unshown)}. They are so only where commands run.`,
        ]
      : []),
    ...(ignored.length > 0
      ? [`What it changed in ignored files is so only where commands run: ${named(ignored)}.`]
      : []),
    ...(refusals.length > 0 ? [`Not proposed: ${refusals.join(" ")}`] : []),
    ...(repository
      ? ["What it changed in the git repository does not last. Use on=workspace for that."]
      : []),
  ];
  return notes.join(" ");
}

/** Where it runs or ran, and which files of the user it can reach. */
function placeNote({ backend, at, sandbox }: ShadowResult, isRunning: boolean): string {
  const ran = isRunning ? "It runs" : "It ran";
  const kept = isRunning ? "do not change" : "did not change";
  if (sandbox) {
    const rest = isRunning
      ? "it sees only programs and packages, and what it writes outside of the workspace is dropped"
      : "it saw only programs and packages, and what it wrote outside of the workspace is gone";
    return `${ran} on the proposed files, without network. The user's own files ${kept}. Of their home folder ${rest}.`;
  }
  const place =
    backend === "copy"
      ? `${ran} in a copy of the workspace with the proposed files${at ? ` (in ${at})` : ""}; use relative paths.`
      : `${ran} on the proposed files; the user's own files in the workspace ${kept}.`;
  const way =
    backend === "copy"
      ? "An absolute path, or .. or a link that leads out of the copy,"
      : "A path or link that leads out of the workspace";
  return `${place} ${way} leads to the user's own files: what it ${isRunning ? "changes" : "changed"} there lasts.`;
}

const DID: readonly (readonly [ProposedPath["did"], string])[] = [
  ["created", "It created"],
  ["changed", "It changed"],
  ["deleted", "It deleted"],
  ["renamed", "It renamed"],
  ["made-executable", "It made executable"],
  ["made-plain", "It made no longer executable"],
];

/** What it did to which files, apart. */
function proposedNote(proposed: readonly ProposedPath[]): string {
  const parts = DID.flatMap(([did, words]) => {
    const paths = proposed
      .filter((each) => each.did === did)
      .map(({ path, to }) => (to === undefined ? path : `${path} to ${to}`));
    const count = paths.length > 1 ? ` ${paths.length} files` : "";
    return paths.length > 0 ? [`${words}${count}${count && ":"} ${named(paths)}.`] : [];
  });
  const back = proposed.filter(({ did }) => did === "taken-back").map(({ path }) => path);
  const waits = "All of that waits for the user like your own changes.";
  const notes = [
    ...(parts.length > 0 ? [...parts, waits] : []),
    ...(back.length > 0
      ? [`It took back what was proposed for ${named(back)}: nothing of that waits any more.`]
      : []),
  ];
  return `${notes.join(" ")} Read a changed file again before you edit it.`;
}

/** The most of a check's output that the model gets, in UTF-16 units from its end. */
const MOST_OUTPUT = 8_000;

/** What the model is told of the user's check on what it proposes. */
export function checkNote({ command, passed, output }: CheckReport): string {
  const tail = lastPart(output, MOST_OUTPUT).trim();
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
    "holds-home": () =>
      "a folder of the workspace holds your home folder, which a sandbox would hide.",
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
