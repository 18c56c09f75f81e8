import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { realpath } from "node:fs/promises";
import { openGuest } from "../agent/guests/openGuest.ts";
import { newId } from "../base/ids.ts";
import { thrownText } from "../base/text/sentence.ts";
import { createAutoReviewer } from "../edits/review/autoReviewer.ts";
import { createFileApplier } from "../node/files/fileApplier.ts";
import { createNodeWorkspaceFiles } from "../node/files/nodeWorkspaceFiles.ts";
import { findRipgrep } from "../node/files/ripgrepSearch.ts";
import { besideEditor } from "../node/guests/besideEditor.ts";
import { oneWriter } from "../node/guests/oneWriter.ts";
import { createGuestServer } from "../node/mcp/guestServer.ts";
import { stdioTransport } from "../node/mcp/stdioTransport.ts";
import { processIdentity } from "../node/storage/processIdentity.ts";
import { type GuestTools, guestName } from "../ports/guest.ts";
import { GUEST_CHAT } from "../ports/outsideChat.ts";
import type { Workspace } from "../ports/workspace.ts";
import { createSyntax } from "../syntax/createSyntax.ts";
import { type CommandIo, complain, fail, stderrLogger } from "./commandIo.ts";
import type { CliCommand } from "./commandLine.ts";
import { noLanguageServices } from "./nonInteractive.ts";
import { openRoot } from "./openRoot.ts";

type McpArguments = Extract<CliCommand, { name: "mcp" }>;

const INSTRUCTIONS =
  "Graft edits source files by the AST paths that file_outline lists, or by lines. Read with read_file what you replace, then call edit_file. While the user has an editor with Graft open on this folder, changes are proposals: they are in no file before the user accepts them, and later results say what the user decided. Without an editor they are written at once; what a guard warns of is not, and the answer says why.";

/** `graft mcp`: serves Graft's tools to another agent until it is gone. Returns the exit status. */
export async function mcpCommand(command: McpArguments, io: CommandIo): Promise<number> {
  const workspace = await openRoot(command.root);
  if (!workspace.ok) return fail(io, workspace.error, 2);
  const guests = await createGuests(command, workspace.value, io);
  const facts = { version: io.version, instructions: INSTRUCTIONS };
  const { specs } = guests("");
  const open = (closed?: () => void) => createGuestServer(specs, guests, facts, closed);
  if (command.port !== null) return serveHttp(command.port, open, io);
  let left: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => {
    left = resolve;
  });
  const server = open(() => left());
  await server.connect(stdioTransport(io.stdin, io.stdout));
  await Promise.race([gone, interruption(io)]);
  await server.close();
  return io.interrupted.aborted ? 130 : 0;
}

/** Makes the tools of a guest with the name of its client. */
async function createGuests(
  { root, where }: McpArguments,
  workspace: Workspace,
  io: CommandIo,
): Promise<(client: string) => GuestTools> {
  const logger = stderrLogger(io);
  const surroundings = {
    workspace,
    files: await createNodeWorkspaceFiles(root, await findRipgrep(null, [root])),
    syntax: createSyntax(io.grammars, logger),
    services: noLanguageServices,
    reviewer: createAutoReviewer("all", oneWriter(createFileApplier(workspace))),
    logger,
  };
  const folder = await realpath(root);
  return (client) => {
    const guest = newId(GUEST_CHAT);
    const alone = openGuest({ ...surroundings, chatId: guest, writes: true });
    if (where === "alone") return alone;
    const identity = { guest, name: guestName(client), process: processIdentity().name };
    return besideEditor(alone, folder, identity, where === "beside");
  };
}

async function serveHttp(
  port: number,
  open: () => ReturnType<typeof createGuestServer>,
  io: CommandIo,
): Promise<number> {
  // A web server takes long to load, and agents start this program for themselves.
  const { serveHttpGuests } = await import("../node/mcp/httpGuests.ts");
  const token = io.mcpToken ?? randomBytes(32).toString("base64url");
  try {
    const http = await serveHttpGuests(port, token, open);
    // The only line on stdout: programs read it.
    io.stdout.write(`${JSON.stringify({ url: http.url, authorization: `Bearer ${token}` })}\n`);
    await interruption(io);
    await http.dispose();
    return 130;
  } catch (error) {
    await complain(io, `--port ${port} cannot be used: ${thrownText(error)}`);
    return 1;
  }
}

async function interruption({ interrupted }: CommandIo): Promise<void> {
  if (!interrupted.aborted) await once(interrupted, "abort");
}
