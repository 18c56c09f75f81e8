import assert from "node:assert/strict";
import { type OauthMcpServer, startOauthMcpServer } from "../fakes/mcp/oauthMcpServer.ts";
import { type ModelServer, startModelServer } from "../fakes/model/modelServer.ts";
import { answerNotification } from "./notification.ts";
import { screenshot, screenshotsOfFailures } from "./screenshot.ts";
import { ask, openPanel, openWorkbench, panel, type Workbench } from "./workbench.ts";

describe("an MCP server that wants a sign-in, in a real VS Code", () => {
  let model: ModelServer;
  let oauth: OauthMcpServer;
  let workbench: Workbench;

  before(async () => {
    oauth = await startOauthMcpServer();
    model = await startModelServer(() => ({ text: "Here I am." }));
    workbench = await openWorkbench({
      files: {
        // Where VS Code has the settings of a machine.
        "../data/Machine/settings.json": JSON.stringify({
          "graft.mcp.servers": { closed: { url: oauth.url } },
        }),
      },
      settings: { "graft.baseUrl": model.url, "graft.model": "test-model" },
    });
    await openPanel(workbench.page);
  });
  after(async () => {
    await workbench?.close();
    await model?.close();
    await oauth?.close();
  });
  screenshotsOfFailures(() => workbench.page);

  it("is offered to the user, who can leave it, and the answer comes without it", async () => {
    const { page } = workbench;
    const told = (text: string) =>
      page.locator(".notification-list-item", { hasText: text }).first();
    await ask(page, "Hello");
    await panel(page).getByText("Here I am.", { exact: true }).waitFor();
    await screenshot(page, "mcp-sign-in-offer");
    await answerNotification(page, "wants you to sign in", "Sign In");
    // The page opens in the user's browser; who closes it cancels here.
    const waiting = told("Sign in to the MCP server");
    await waiting.waitFor();
    await screenshot(page, "mcp-sign-in");
    await waiting.getByText("Cancel", { exact: true }).click();
    await told("Signing in to the MCP server").waitFor();
    assert.equal(oauth.requests.includes("POST /token"), false);
  });
});
