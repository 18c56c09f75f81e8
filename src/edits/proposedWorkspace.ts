import { ok } from "../base/result.ts";
import type { PendingProposal, Reviewer } from "../ports/review.ts";
import type { FileRef, TextMatch, TextSearch, Workspace } from "../ports/workspace.ts";
import { searchTexts } from "../tools/search/searchTexts.ts";

/** The workspace with the proposals that `sees` selects in place of their files. Folders are listed as they are on the disk. */
export function proposedWorkspace(workspace: Workspace, reviewer: Reviewer, sees: (proposal: PendingProposal) => boolean): Workspace {
  const proposalOf = (file: FileRef) => {
    const proposal = reviewer.pending(file);
    return proposal && sees(proposal) ? proposal : null;
  };
  const searchProposed = (proposals: readonly PendingProposal[], query: TextSearch) =>
    searchTexts(
      (async function* () {
        for (const { file, text } of proposals) yield { text, path: async () => file.path };
      })(),
      query,
    );
  return {
    get trusted() {
      return workspace.trusted;
    },
    get folders() {
      return workspace.folders;
    },
    resolve: (path) => workspace.resolve(path),
    writable: (file) => workspace.writable(file),
    list: (path, signal) => workspace.list(path, signal),
    async read(file, signal) {
      const read = await workspace.read(file, signal);
      const proposal = proposalOf(file);
      if (!proposal) return read;
      const languageId = read.ok ? read.value.languageId : "";
      return ok({ file, exists: true, text: proposal.text, version: 0, languageId, pending: proposal.hunks });
    },
    async search(query, signal) {
      const proposals = reviewer.allPending().filter(sees);
      const found = await workspace.search(query, signal);
      // Which new files a glob selects is only known on the disk.
      if (!found.ok || proposals.length === 0) return found;
      const onDisk = new Set(found.value.matches.map(({ path }) => path));
      const proposed = await searchProposed(proposals, query);
      const paths = new Set(proposals.map(({ file }) => file.path));
      const isProposed = ({ path }: TextMatch) => paths.has(path);
      const more = proposed.ok ? proposed.value.matches.filter(({ path }) => query.include === null || onDisk.has(path)) : [];
      const matches = [...found.value.matches.filter((match) => !isProposed(match)), ...more];
      return ok({ matches: matches.slice(0, query.limit), truncated: found.value.truncated || matches.length > query.limit });
    },
  };
}
