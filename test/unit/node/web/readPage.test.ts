import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { isPrivateAddress } from "../../../../src/node/web/privateAddress.ts";
import { readPage } from "../../../../src/node/web/readPage.ts";
import type { Lookup } from "../../../../src/node/web/requestPage.ts";

const { signal } = new AbortController();
const article = `<!doctype html><html><head><title>Shapes</title></head><body><nav><a href="/x">Menu</a></nav>
<article><h1>Shapes</h1>${"<p>A shape has an <b>area</b>, see <a href='/docs/area'>its page</a>, and it is a long text so that it is an article.</p>".repeat(8)}
<pre><code>area(shape)</code></pre></article><script>alert(1)</script></body></html>`;

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const html =
  (body: string, headers: Record<string, string> = {}): Answer =>
  (_, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", ...headers });
    response.end(body);
  };
const redirect =
  (location: string): Answer =>
  (_, response) => {
    response.writeHead(302, { location });
    response.end();
  };

/** Every name leads to this machine, as a hostile DNS may say. */
const toLoopback: Lookup = (_host, _options, done) =>
  done(null, [{ address: "127.0.0.1", family: 4 }]);

async function withServer(
  routes: Readonly<Record<string, Answer>>,
  use: (port: number, requests: readonly string[]) => Promise<void>,
): Promise<void> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.headers.host} ${request.url}`);
    const answer = routes[request.url ?? ""];
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  try {
    await use(address.port, requests);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Reads a page of `docs.test`, which is allowed though it is on this machine. */
const read = (port: number, path: string, allowed = ["docs.test"], aborts = signal) =>
  readPage(
    new URL(`http://docs.test:${port}${path}`),
    { allowed: () => allowed, lookup: toLoopback },
    aborts,
  );

describe("A page of the web", () => {
  it("is the Markdown of its article, with whole addresses and without scripts", async () => {
    await withServer({ "/": html(article) }, async (port) => {
      const page = await read(port, "/");
      assert.ok(page.ok, JSON.stringify(page));
      const { title, text, isCut } = page.value;
      assert.deepEqual([title, isCut], ["Shapes", false]);
      assert.match(text, /\*\*area\*\*, see \[its page\]\(http:\/\/docs\.test:\d+\/docs\/area\)/);
      assert.match(text, /```\narea\(shape\)\n```/);
      assert.doesNotMatch(text, /alert|Menu/);
    });
  });

  it("is read compressed, in its own character set, and as any other text", async () => {
    await withServer(
      {
        "/gz": (_, response) => {
          response.writeHead(200, { "content-type": "text/plain", "content-encoding": "gzip" });
          response.end(gzipSync("zipped"));
        },
        "/br": (_, response) => {
          response.writeHead(200, { "content-type": "application/json", "content-encoding": "br" });
          response.end(brotliCompressSync('{"a": 1}'));
        },
        "/latin": (_, response) => {
          response.writeHead(200, { "content-type": "text/html" });
          response.end(
            Buffer.from(
              '<html><meta charset="iso-8859-1"><body><p>Stra\xdfe</p></body></html>',
              "latin1",
            ),
          );
        },
        "/png": (_, response) => {
          response.writeHead(200, { "content-type": "image/png" }).end("x");
        },
        "/empty": html("<html><body><div id='app'></div><script>go()</script></body></html>"),
      },
      async (port) => {
        const texts: string[] = [];
        for (const path of ["/gz", "/br", "/latin", "/png", "/empty", "/gone"]) {
          const page = await read(port, path);
          texts.push(page.ok ? page.value.text : page.error.code);
        }
        assert.deepEqual(texts, ["zipped", '{"a": 1}', "Straße", "not-text", "no-text", "status"]);
      },
    );
  });

  it("is cut at 1 MB, also where a small answer unpacks to more", async () => {
    await withServer(
      {
        "/bomb": (_, response) => {
          response.writeHead(200, { "content-type": "text/plain", "content-encoding": "gzip" });
          response.end(gzipSync("a".repeat(60_000_000)));
        },
        "/endless": (_, response) => {
          response.writeHead(200, { "content-type": "text/plain" });
          const more = () => {
            while (!response.destroyed && response.write("b".repeat(60_000)));
          };
          response.on("drain", more);
          more();
        },
      },
      async (port) => {
        for (const path of ["/bomb", "/endless"]) {
          const page = await read(port, path);
          assert.ok(page.ok);
          assert.deepEqual([page.value.text.length, page.value.isCut], [1_000_000, true], path);
        }
      },
    );
  });

  it("is read all the same where it nests without end or has very many elements", async () => {
    await withServer(
      {
        "/deep": html(`<html><body>${"<div>".repeat(60_000)}deep words`),
        "/many": html(`<html><body>${"<i>x</i> ".repeat(90_000)}`),
        "/open": html(`<html><body>deep words ${"<script ".repeat(120_000)}`),
        "/ends": html(`<html><body>deep words ${"<".repeat(900_000)}`),
        "/half": html(
          `<html><body>${`<div class="a b">${"<p>deep words, ".repeat(40)}</div>`.repeat(400)}`,
        ),
      },
      async (port) => {
        for (const path of ["/deep", "/many", "/open", "/ends", "/half"]) {
          const page = await read(port, path);
          assert.ok(page.ok && /deep words|x/.test(page.value.text), path);
        }
      },
    );
  });

  it("is not read from this machine or a private network, by address, name or redirect", async () => {
    await withServer({ "/": html(article) }, async (port, requests) => {
      const from = async (address: string, lookup: Lookup = toLoopback) => {
        const page = await readPage(new URL(address), { allowed: () => [], lookup }, signal);
        return page.ok ? "read" : page.error.code;
      };
      const both: Lookup = (_host, _options, done) =>
        done(null, [
          { address: "93.184.216.34", family: 4 },
          { address: "127.0.0.1", family: 4 },
        ]);
      for (const address of [
        `http://127.0.0.1:${port}/`,
        `http://2130706433:${port}/`,
        `http://0x7f.1:${port}/`,
        `http://[::1]:${port}/`,
        `http://[::ffff:127.0.0.1]:${port}/`,
        `http://localhost:${port}/`,
        `http://harmless.example:${port}/`,
        "http://169.254.169.254/latest/meta-data",
      ])
        assert.equal(await from(address), "private-address", address);
      assert.equal(await from(`http://two.example:${port}/`, both), "private-address");
      assert.deepEqual(requests, []);
    });
  });

  it("follows redirects on its host, checks each, and tells those to another", async () => {
    await withServer(
      {
        "/old": redirect("/new"),
        "/new": html(article),
        "/round": redirect("/round"),
        "/away": redirect("http://169.254.169.254/latest"),
        "/file": redirect("file:///etc/passwd"),
      },
      async (port, requests) => {
        const moved = await read(port, "/old");
        assert.equal(moved.ok && moved.value.url, `http://docs.test:${port}/new`);
        const round = await read(port, "/round");
        assert.equal(round.ok ? "" : round.error.code, "too-many-redirects");
        assert.deepEqual(await read(port, "/away"), {
          ok: false,
          error: { code: "redirected", to: "http://169.254.169.254/latest" },
        });
        assert.deepEqual(await read(port, "/file"), {
          ok: false,
          error: { code: "redirected", to: "file:///etc/passwd" },
        });
        const before = requests.length;
        // The name leads elsewhere by the time of the redirect.
        const answers = [["docs.test"], []];
        const rebound = await readPage(
          new URL(`http://docs.test:${port}/old`),
          { allowed: () => answers.shift() ?? [], lookup: toLoopback },
          signal,
        );
        assert.equal(rebound.ok ? "" : rebound.error.code, "private-address");
        assert.equal(requests.length, before + 1);
      },
    );
  });

  it("ends when it is stopped, and says what the system said", async () => {
    await withServer({ "/silent": () => undefined }, async (port) => {
      const stopped = await read(port, "/silent", ["docs.test"], AbortSignal.timeout(100));
      assert.equal(stopped.ok ? "" : stopped.error.code, "timed-out");
    });
    const failing: Lookup = (_host, _options, done) =>
      done(Object.assign(new Error("not found"), { code: "ENOTFOUND" }), []);
    const unknown = await readPage(
      new URL("http://nowhere.example/"),
      { allowed: () => [], lookup: failing },
      signal,
    );
    assert.deepEqual(unknown, {
      ok: false,
      error: { code: "unreachable", detail: "ENOTFOUND" },
    });
  });

  for (const address of [
    ..."0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.168.1.1".split(
      " ",
    ),
    ..."224.0.0.1 255.255.255.255 ::1 :: ::ffff:10.0.0.1 ::7f00:1 fe80::1 fe80::1%eth0 fd00::1 ff02::1".split(
      " ",
    ),
    ..."64:ff9b::7f00:1 2002:7f00:1::1 [::1] nonsense".split(" "),
  ])
    it(`is not read from ${address}`, () => assert.equal(isPrivateAddress(address), true));
  for (const address of ["93.184.216.34", "172.32.0.1", "2606:4700::1111", "::ffff:93.184.216.34"])
    it(`is read from ${address}`, () => assert.equal(isPrivateAddress(address), false));
});
