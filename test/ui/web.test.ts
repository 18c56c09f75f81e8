import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type ModelServer, startModelServer } from "../fakes/model/modelServer.ts";
import { screenshot, screenshotsOfFailures } from "./screenshot.ts";
import { ask, openPanel, openWorkbench, panel, until, type Workbench } from "./workbench.ts";

const drawn =
  "The area is $\\pi r^2$.\n\n```mermaid\nflowchart LR\n  A[Start] --> B[End]\n```\n\n<details>\n<summary>More</summary>\n\nHidden words\n\n</details>\n";

async function startPages(): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer((request, response) => {
    if (request.url === "/away")
      response.writeHead(302, { location: "http://169.254.169.254/latest" }).end();
    else
      response
        .writeHead(200, { "content-type": "text/html" })
        .end(
          "<html><head><title>Docs</title></head><body><main><p>The word is <b>otter</b>.</p></main></body></html>",
        );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  return { server, port: address.port };
}

describe("drawing and the web, in a real VS Code", () => {
  let model: ModelServer;
  let pages: Awaited<ReturnType<typeof startPages>>;
  let workbench: Workbench;
  const chat = () => panel(workbench.page);

  before(async () => {
    pages = await startPages();
    model = await startModelServer(({ body }) => {
      const { role, content } = body.messages.at(-1) ?? { role: "user", content: "" };
      if (role === "tool") return { text: `Told: ${content}` };
      const last = body.messages.findLast((message) => message.role === "user")?.content ?? "";
      const url = /fetch (\S+)/.exec(last)?.[1];
      if (url !== undefined) return { toolCalls: [{ name: "fetch_url", args: { url } }] };
      return { text: /draw/.test(last) ? drawn : `You gave: ${last}` };
    });
    workbench = await openWorkbench({
      files: { "a.ts": "const a = \n" },
      settings: {
        "graft.baseUrl": model.url,
        "graft.model": "test-model",
        "graft.web.privateHosts": [`localhost:${pages.port}`],
      },
    });
    await openPanel(workbench.page);
  });
  after(async () => {
    await workbench?.close();
    await model?.close();
    pages?.server.closeAllConnections();
    pages?.server.close();
  });
  screenshotsOfFailures(() => workbench.page);

  it("draws formulas, diagrams and details in the panel's own page", async () => {
    await ask(workbench.page, "Please draw");
    await chat().locator(".math.drawn .katex").waitFor();
    await chat().locator(".diagram img").waitFor();
    await chat().locator("summary", { hasText: "More" }).click();
    await chat().locator(".fold").getByText("Hidden words").waitFor();
    await screenshot(workbench.page, "drawn");
  });

  it("asks for the host before it reads a page, and tells where a redirect leads", async () => {
    await ask(workbench.page, `fetch http://localhost:${pages.port}/docs`);
    await chat()
      .getByText(`http://localhost:${pages.port}/docs`, { exact: true })
      .first()
      .waitFor();
    await screenshot(workbench.page, "fetch-url");
    await chat().getByText("Allow", { exact: true }).click();
    await chat()
      .locator(".text-part")
      .getByText(/The word is/)
      .first()
      .waitFor();
    await ask(workbench.page, `fetch http://localhost:${pages.port}/away`);
    await chat().getByText("Allow", { exact: true }).click();
    await chat()
      .locator(".text-part")
      .getByText(/redirects to http:\/\/169\.254\.169\.254/)
      .first()
      .waitFor();
    await ask(workbench.page, `fetch http://127.0.0.1:${pages.port}/docs`);
    await chat().getByText("Allow", { exact: true }).click();
    await chat()
      .locator(".text-part")
      .getByText(/private network/)
      .first()
      .waitFor();
  });

  it("attaches a page by its address", async () => {
    const { page } = workbench;
    const box = chat().locator(".composer textarea");
    await until("the page is offered", async () => {
      await box.fill("");
      await box.pressSequentially("Look at @http://docs.example.test/a");
      return chat()
        .getByText("Page of the web")
        .waitFor({ timeout: 10_000 })
        .then(
          () => true,
          () => false,
        );
    });
    await page.keyboard.press("Escape");
    await box.fill("");
  });
});
