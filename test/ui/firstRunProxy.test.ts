import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { startFullServer } from "../fakes/model/fullServer.ts";
import { startProxy } from "../fakes/model/secureServer.ts";
import { selfSigned } from "../fakes/model/selfSigned.ts";
import { type NewUser, openAsNewUser } from "./newUser.ts";
import { screenshot, screenshotsOfFailures } from "./screenshot.ts";

const HOST = "models.company.test";
const KEY = "sk-company-4711";

describe("the first run behind a company's proxy, in a real VS Code with the packed extension", () => {
  let user: NewUser;
  const servers: { close(): Promise<void> }[] = [];

  screenshotsOfFailures(() => user.page);
  afterEach(async () => {
    await user.workbench.close();
    for (const server of servers.splice(0)) await server.close();
  });

  async function company(login = "") {
    const model = await startFullServer({ "GET /v1/models": { data: [{ id: "team-model" }] } }, [
      { text: "Hello from the team." },
    ]);
    const certificate = selfSigned([HOST]);
    const proxy = await startProxy(model.origin, certificate, login);
    servers.push(model, proxy);
    const authorities = path.join(
      fs.mkdtempSync(path.join(os.tmpdir(), "graft-ca-")),
      "authorities.pem",
    );
    fs.writeFileSync(authorities, certificate.cert);
    return { model, proxy, env: { SSL_CERT_FILE: authorities } };
  }

  async function enterServer(): Promise<void> {
    await user.click(user.offer("Enter an API key"));
    await user.paste(KEY);
    await user.pick("Another server");
    await user.type("Address of the server", `https://${HOST}/v1`);
    user.pastes++;
  }

  /** From the empty panel to the first answer: an address and a key. */
  async function addServer(how: string): Promise<void> {
    await user.openGraft();
    await user.offer("Try demo mode").waitFor();
    await enterServer();
    await user.pick("team-model");
    await user.model("team-model").waitFor();
    await user.ask("Who are you?", "Hello from the team.");
    user.report(how);
  }

  it("reaches a server through the proxy of the environment, and this machine directly", async () => {
    const { model, proxy, env } = await company("me:secret");
    const url = proxy.url.replace("//", "//me:secret@");
    user = await openAsNewUser({ env: { ...env, HTTPS_PROXY: url, HTTP_PROXY: url } });
    await addServer("a proxy in the environment");
    assert.ok(proxy.hosts.includes(`${HOST}:443`));
    // VS Code itself asks its marketplace.
    assert.ok(!proxy.hosts.some((host) => /localhost|127\.0\.0\.1/.test(host)));
    assert.ok(model.requests.some(({ headers }) => headers.authorization === `Bearer ${KEY}`));
    await screenshot(user.page, "29-proxy-of-environment");
  });

  it("says that the proxy wants a password, and how to give it", async () => {
    const { proxy, env } = await company("me:secret");
    user = await openAsNewUser({ env: { ...env, HTTPS_PROXY: proxy.url } });
    await user.openGraft();
    await enterServer();
    await user.row(`The proxy to ${HOST} wants a user name and password.`).waitFor();
    await screenshot(user.page, "30-closed-proxy");
  });

  it("reaches a server through the proxy of the settings with the name and password in its address", async () => {
    const { proxy, env } = await company("me:secret");
    const url = proxy.url.replace("//", "//me:secret@");
    user = await openAsNewUser({ env, settings: { "http.proxy": url } });
    await addServer("a proxy in the settings");
  });
});
