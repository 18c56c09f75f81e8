import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import * as path from "node:path";
import { Readable, Writable } from "node:stream";
import {
  client,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  type RequestPermissionRequest,
} from "@agentclientprotocol/sdk";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import * as z from "zod/mini";
import { editBlockSchema } from "../../../src/turns/editBlock.ts";
import { buildCli, type CliBundle } from "../../fakes/cliBundle.ts";
import { runHere } from "../../fakes/commandLineHere.ts";
import {
  assertFilesAfter,
  assertOutcomes,
  editsFolder,
  guestCalls,
  modelAnswers,
  PLACED_EDITS,
  type ToldEdit,
} from "../../fakes/edits/sameEdits.ts";
import { openTestEditor } from "../../fakes/guests/testEditor.ts";
import { connectGuest, type GuestClient, startGuest } from "../../fakes/mcp/guestClient.ts";
import { startModelServer } from "../../fakes/model/modelServer.ts";
import { type TempFolder, tempFolder } from "../../fakes/workspace/tempFolder.ts";

/** The events of `graft run --json` that matter here. */
const editEvent = z.object({ type: z.literal("edit-update"), edit: editBlockSchema });

describe(`the same ${PLACED_EDITS.length} edits leave the same files, and are refused by the same codes`, () => {
  let cli: CliBundle;
  let folder: TempFolder;
  let home: TempFolder;

  before(async () => {
    cli = await buildCli();
  });
  after(() => cli.remove());
  beforeEach(async () => {
    folder = await editsFolder();
    home = await tempFolder();
  });
  afterEach(async () => {
    await folder.remove();
    await home.remove();
  });

  const model = ["--model", "m", "--max-steps", "200"];

  it("in Graft's own chat", async () => {
    const server = await startModelServer(modelAnswers());
    const where = ["--base-url", server.url, ...model, "--root", folder.root];
    const flags = ["--accept", "all", "--json"];
    const run = ["run", ...where, ...flags, "Go on."];
    const { stdout, stderr } = await runHere(home.root, run);
    await server.close();
    const told = new Map<string, ToldEdit>();
    for (const line of stdout.split("\n").filter(Boolean)) {
      const { success, data } = editEvent.safeParse(JSON.parse(line));
      if (success) told.set(data.edit.blockId, toldOf(data.edit));
    }
    assert.match(stdout, /"reason":"done"/, stderr);
    assertFilesAfter(folder.root);
    assertOutcomes([...told.values()]);
  });

  for (const how of ["stdio", "HTTP"] as const)
    it(`by graft mcp over ${how}`, async () => {
      const guest = how === "HTTP" ? await httpGuest() : await stdioGuest();
      const told: ToldEdit[] = [];
      for (const edit of PLACED_EDITS)
        for (const { name, args } of guestCalls(edit))
          told.push(...(await guest.call(name, args)).edits);
      await guest.close();
      assertFilesAfter(folder.root);
      assertOutcomes(told);
    });

  function stdioGuest(): Promise<GuestClient> {
    return startGuest(cli.program, ["--root", folder.root, "--alone"], { HOME: home.root });
  }

  async function httpGuest(): Promise<GuestClient> {
    const args = ["mcp", "--root", folder.root, "--alone", "--http"];
    const child = cli.start(args, { HOME: home.root });
    const [line] = await once(child.stdout ?? Readable.from([]), "data");
    const { url, authorization } = JSON.parse(String(line));
    const requestInit = { headers: { authorization } };
    const guest = await connectGuest(
      new StreamableHTTPClientTransport(new URL(url), { requestInit }),
    );
    return {
      ...guest,
      async close() {
        await guest.close();
        child.kill();
        await once(child, "exit");
      },
    };
  }

  it("by graft mcp beside an editor, once they are accepted there", async () => {
    const formerHome = process.env.HOME;
    process.env.HOME = home.root;
    const editor = await openTestEditor(folder.root);
    const guest = await startGuest(cli.program, ["--root", folder.root], { HOME: home.root });
    const told: ToldEdit[] = [];
    try {
      for (const edit of PLACED_EDITS)
        for (const { name, args } of guestCalls(edit))
          told.push(...(await guest.call(name, args)).edits);
      for (const { path: file, before } of PLACED_EDITS)
        assert.equal(
          await readFile(path.join(folder.root, file), "utf8").catch(() => null),
          before,
        );
      // A user does not accept what a guard warns of.
      const warned = told.filter(({ warnings }) => warnings.length > 0).map(({ path }) => path);
      await editor.decide(({ file }) => !warned.includes(file.path));
    } finally {
      await guest.close();
      editor.dispose();
      if (formerHome === undefined) delete process.env.HOME;
      else process.env.HOME = formerHome;
    }
    assertFilesAfter(folder.root);
    assertOutcomes(told);
  });

  it("by graft acp", async () => {
    const server = await startModelServer(modelAnswers());
    const child = cli.start(["acp", "--base-url", server.url, ...model], { HOME: home.root });
    const { stdin, stdout } = child;
    assert.ok(stdin && stdout);
    const told: ToldEdit[] = [];
    const connection = client({ name: "test" })
      .onRequest(methods.client.session.requestPermission, ({ params }) => {
        const facts = toldFacts(params.toolCall._meta);
        told.push(...facts);
        // A user does not allow what a guard warns of.
        const kind = facts.some(({ warnings }) => warnings.length > 0)
          ? "reject_once"
          : "allow_once";
        return { outcome: { outcome: "selected", optionId: optionOf(params, kind) } };
      })
      .onNotification(methods.client.session.update, ({ params: { update } }) => {
        const isFailed = update.sessionUpdate === "tool_call" && update.status === "failed";
        if (isFailed) told.push(...toldFacts(update._meta));
      })
      .connect(ndJsonStream(Writable.toWeb(stdin), Readable.toWeb(stdout)));
    const { agent } = connection;
    await agent.request(methods.agent.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: {},
    });
    const { sessionId } = await agent.request(methods.agent.session.new, {
      cwd: folder.root,
      mcpServers: [],
    });
    const { stopReason } = await agent.request(methods.agent.session.prompt, {
      sessionId,
      prompt: [{ type: "text", text: "Go on." }],
    });
    connection.close();
    stdin.end();
    if (child.exitCode === null) await once(child, "exit");
    await server.close();
    assert.equal(stopReason, "end_turn");
    assertFilesAfter(folder.root);
    assertOutcomes(told);
  });
});

const factsSchema = z.object({
  "graft/edits": z.array(
    z.object({
      path: z.string(),
      status: z.string(),
      reason: z.nullable(z.string()),
      warnings: z.array(z.string()),
    }),
  ),
});

function toldFacts(meta: unknown): readonly ToldEdit[] {
  return factsSchema.safeParse(meta).data?.["graft/edits"] ?? [];
}

function toldOf({ path, status, reason, warnings }: z.infer<typeof editBlockSchema>): ToldEdit {
  const codes = warnings.map(({ code }) => code);
  return { path, status, reason: reason?.code ?? null, warnings: codes };
}

function optionOf({ options }: RequestPermissionRequest, wanted: string): string {
  const option = options.find(({ kind }) => kind === wanted);
  assert.ok(option);
  return option.optionId;
}
