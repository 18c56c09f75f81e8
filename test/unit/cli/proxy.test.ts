import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import * as path from "node:path";
import { proxyFor } from "../../../src/node/web/proxyFetch.ts";
import { buildCli, type CliBundle } from "../../fakes/cliBundle.ts";
import { type ModelServer, startModelServer } from "../../fakes/model/modelServer.ts";
import { startProxy, type TestProxy } from "../../fakes/model/secureServer.ts";
import { selfSigned } from "../../fakes/model/selfSigned.ts";
import { type TempFolder, tempFolder } from "../../fakes/workspace/tempFolder.ts";

const HOST = "models.company.test";

describe("the command line behind a company's proxy", () => {
  let cli: CliBundle;
  let folder: TempFolder;
  let model: ModelServer;
  const proxies: TestProxy[] = [];
  const certificate = selfSigned([HOST]);

  before(async function () {
    this.timeout(120_000);
    cli = await buildCli();
    folder = await tempFolder();
    await writeFile(path.join(folder.root, "authorities.pem"), certificate.cert);
  });
  after(async () => {
    await cli.remove();
    await folder.remove();
  });
  beforeEach(async () => {
    model = await startModelServer([{ text: "Hello from the team." }]);
  });
  afterEach(async () => {
    for (const proxy of proxies.splice(0)) await proxy.close();
    await model.close();
  });

  async function proxyTo(certified: typeof certificate | null, login = ""): Promise<TestProxy> {
    const proxy = await startProxy(new URL(model.url).origin, certified, login);
    proxies.push(proxy);
    return proxy;
  }

  function run(baseUrl: string, env: NodeJS.ProcessEnv) {
    const { root } = folder;
    const authorities = path.join(root, "authorities.pem");
    const target = ["--base-url", baseUrl, "--model", "team-model", "--root", root];
    return cli.run(["run", ...target, "Who are you?"], "", {
      NODE_EXTRA_CA_CERTS: authorities,
      ...env,
    });
  }

  it("reaches a server that only the proxy knows, encrypted to the server", async () => {
    const proxy = await proxyTo(certificate, "me:pass word");
    const { status, stdout, stderr } = await run(`https://${HOST}/v1`, {
      HTTPS_PROXY: proxy.url.replace("//", "//me:pass%20word@"),
      OPENAI_API_KEY: "sk-secret",
    });
    assert.equal(status, 0, stderr);
    assert.match(stdout, /Hello from the team\./);
    assert.deepEqual([...new Set(proxy.hosts)], [`${HOST}:443`]);
    assert.equal(model.requests[0]?.headers.authorization, "Bearer sk-secret");
    assert.equal(model.requests[0]?.headers["proxy-authorization"], undefined);
  });

  it("asks the proxy for what is not encrypted", async () => {
    const proxy = await proxyTo(certificate);
    const { status, stdout, stderr } = await run(`http://${HOST}/v1`, { http_proxy: proxy.url });
    assert.equal(status, 0, stderr);
    assert.match(stdout, /Hello from the team\./);
    assert.deepEqual([...new Set(proxy.hosts)], [HOST]);
  });

  it("says that the proxy refused", async () => {
    for (const scheme of ["https", "http"] as const) {
      const { url } = await proxyTo(null);
      const { status, stderr } = await run(`${scheme}://${HOST}/v1`, {
        [`${scheme}_proxy`]: url,
      });
      assert.equal(status, 1);
      assert.match(stderr, /proxy.*wants a user name and password.*HTTPS_PROXY/);
    }
  });

  it("says that it does not know the kind of proxy", async () => {
    const { status, stderr } = await run(`https://${HOST}/v1`, { HTTPS_PROXY: "socks5://a.test" });
    assert.equal(status, 1);
    assert.match(stderr, /proxy.*\(Invalid URL protocol\).*HTTPS_PROXY/);
  });

  it("asks this machine itself", async () => {
    const proxy = await proxyTo(null);
    const { stdout } = await run(model.url, { HTTP_PROXY: proxy.url });
    assert.match(stdout, /Hello from the team\./);
    assert.deepEqual(proxy.hosts, []);
  });

  it("reads the environment as other programs do", () => {
    const used = (url: string, variables: Readonly<Record<string, string>>) =>
      proxyFor(new URL(url), variables)?.href ?? null;
    const https = { HTTPS_PROXY: "http://proxy.test:3128" };
    assert.equal(used("https://a.test/v1", https), "http://proxy.test:3128/");
    assert.equal(
      used("https://a.test/v1", { https_proxy: "proxy.test:3128" }),
      used("https://a.test", https),
    );
    assert.equal(used("http://a.test/v1", https), null);
    assert.equal(used("https://a.test/v1", {}), null);
    assert.equal(used("https://a.test/v1", { HTTPS_PROXY: "http://[" }), null);
    const exempt = [
      ["a.test", true],
      ["A.Test:443", true],
      ["a.test:8443", false],
      ["b.test, .test", true],
      ["*.test", true],
      ["test", true],
      ["est", false],
      ["*", true],
      ["", false],
      [",", false],
    ] as const;
    for (const [NO_PROXY, isExempt] of exempt)
      assert.equal(used("https://a.test/v1", { ...https, NO_PROXY }) === null, isExempt, NO_PROXY);
    for (const host of ["localhost:11434", "127.0.0.1", "[::1]"])
      assert.equal(used(`https://${host}/v1`, https), null, host);
  });
});
